// What can be told of the dependencies without a registry: node scripts/lock.mjs [folder]. Ends with 1 if something is not as it should be.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { joined } from "./joined.mjs";

/** Licences of what reaches users: those that our own allows to pass on. */
const allowed = new Set(["MIT", "ISC", "BSD-2-Clause", "BSD-3-Clause", "0BSD", "Apache-2.0"]);
const REGISTRY = "https://registry.npmjs.org/";

const nameOf = (path) => path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
const isHere = ({ os = [], cpu = [] }) =>
  [os, cpu].every((list, at) => list.length === 0 || list.includes([process.platform, process.arch][at]));

/** A line for each thing that is wrong with a lock file, or with the versions its package asks for. */
export function lockProblems({ packages }, { dependencies = {}, optionalDependencies = {}, allowScripts = {} }) {
  const problems = [];
  for (const [name, version] of Object.entries({ ...dependencies, ...optionalDependencies }))
    if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)) problems.push(`${name}: ${version} is no exact version of the registry`);
  for (const [path, entry] of Object.entries(packages)) {
    if (path === "") continue;
    const name = nameOf(path);
    if (entry.link || (entry.resolved !== undefined && !entry.resolved.startsWith(REGISTRY)))
      problems.push(`${name}: comes from ${entry.link ? "a folder" : entry.resolved}, not from the registry`);
    if (!/^sha512-/.test(entry.integrity ?? "")) problems.push(`${name}: has no sha512 of its content`);
    if ((!entry.dev || joined.includes(name)) && !allowed.has(entry.license))
      problems.push(`${name}: its licence is ${entry.license ?? "not known"}`);
    if (entry.hasInstallScript && allowScripts[name] !== true && (!entry.dev || isHere(entry)))
      problems.push(`${name}: runs a script when it is installed, and allowScripts in package.json does not name it`);
  }
  return problems;
}

/** The problems of the package in a folder. */
export function problemsIn(folder) {
  const read = (name) => JSON.parse(readFileSync(join(folder, name), "utf8"));
  return lockProblems(read("package-lock.json"), read("package.json"));
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const problems = problemsIn(process.argv[2] ?? ".");
  for (const problem of problems) console.log(`lock: ${problem}`);
  console.log(`lock: ${problems.length} problems`);
  if (problems.length > 0) process.exitCode = 1;
}
