// Fails unless every package that is installed has the version of the lock file: node check-locked.mjs <package-lock.json> <node_modules>
import { readFileSync } from "node:fs";
import { join } from "node:path";

const [lock, folder] = process.argv.slice(2);
const read = (path) => JSON.parse(readFileSync(path, "utf8")).packages;
const wanted = read(lock);
const odd = Object.entries(read(join(folder, ".package-lock.json"))).filter(
  ([place, { version, integrity }]) => wanted[place]?.version !== version || wanted[place]?.integrity !== integrity,
);
for (const [place, { version }] of odd) console.error(`${place} is ${version}, and the lock file has ${wanted[place]?.version ?? "none"}`);
process.exitCode = odd.length > 0 ? 1 : 0;
