/** The package as it is published: packed, installed into an empty folder, run by npx, and compiled against. */
import { execFile, execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire, isBuiltin } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { VERSION } from "nuthatch";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { tempFolder } from "./cli.ts";
import { type RunningSite, serveSite } from "./site/index.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const tsc = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin", "tsc");
const run = promisify(execFile);
const KILOBYTE = 1024;

interface Packed {
  readonly filename: string;
  readonly size: number;
  readonly files: readonly { readonly path: string }[];
}

describe("the package", () => {
  const folder = tempFolder();
  let packed: Packed;
  let installed: { readonly stderr: string };
  let site: RunningSite;

  beforeAll(async () => {
    // The test command has built dist already; a second build would pull it away under the other tests.
    const told = execFileSync("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", folder.path], { cwd: root });
    packed = (JSON.parse(told.toString()) as [Packed])[0];
    writeFileSync(folder.file("package.json"), JSON.stringify({ name: "somebody", private: true, type: "module" }));
    // An engine that a dependency of ours rules out is an error here, and a warning for everybody else.
    const install = ["install", "--no-audit", "--no-fund", "--prefer-offline", "--engine-strict", folder.file(packed.filename)];
    installed = await run("npm", install, { cwd: folder.path });
    site = await serveSite({ "/": '<title>Home</title><a href="/a">A</a>', "/a": "<title>A</title>" }, { address: "127.0.39.1" });
  }, 120_000);
  afterAll(async () => {
    await site?.close();
    folder[Symbol.dispose]();
  });

  test("is small, and holds no tests, sources or benchmarks", () => {
    // The word vectors are 4 MB that hardly pack, Swagger UI and the documents half a one each, the types a quarter; all the rest is small.
    expect(packed.size).toBeLessThan(6200 * KILOBYTE);
    const odd = packed.files.filter(
      ({ path }) => /\.test\.|^(src|test|bench|shared)\//.test(path) || /^dist\/(?!bundle\/|src\/.*\.d\.ts$)/.test(path),
    );
    expect(odd).toEqual([]);
  });

  test("installs without a warning about itself, on every Node that it names", () => {
    expect(installed.stderr).not.toMatch(/EBADENGINE|deprecated|nuthatch@[\d.]+ \(/);
    const lock = JSON.parse(readFileSync(folder.file("package-lock.json"), "utf8")) as {
      packages: Record<string, { engines?: { node?: string }; deprecated?: string }>;
    };
    const { satisfies } = createRequire(folder.file("package.json"))("semver") as {
      satisfies: (version: string, range: string) => boolean;
    };
    const unfit = Object.entries(lock.packages).flatMap(([name, { engines, deprecated }]) => [
      ...(deprecated === undefined ? [] : [`${name} is deprecated`]),
      ...["20.19.0", "22.12.0", "24.0.0"]
        .filter((node) => engines?.node !== undefined && !satisfies(node, engines.node))
        .map((node) => `${name} on ${node}`),
    ]);
    expect(unfit).toEqual([]);
  });

  test("holds everything that its README leads to", () => {
    const readme = readFileSync(join(folder.path, "node_modules/nuthatch/README.md"), "utf8");
    const targets = [...readme.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(([, target]) => target!);
    expect(targets.length).toBeGreaterThan(30);
    expect(targets.filter((target) => !existsSync(join(folder.path, "node_modules/nuthatch", target)))).toEqual([]);
  });

  test("needs nothing that is not installed with it, and names whose code is joined into its own", () => {
    const home = join(folder.path, "node_modules/nuthatch");
    const read = JSON.parse(readFileSync(join(home, "package.json"), "utf8")) as Record<string, Record<string, string>>;
    const dependencies = { ...read.dependencies, ...read.optionalDependencies, ...read.peerDependencies };
    const files = readdirSync(join(home, "dist/bundle")).filter((file) => file.endsWith(".js"));
    const needed = files.flatMap((file) => packagesIn(readFileSync(join(home, "dist/bundle", file), "utf8")));
    expect(needed).toContain("undici");
    expect(needed.filter((name) => !(name in dependencies) && name !== "nuthatch")).toEqual([]);
    const notices = readFileSync(join(home, "dist/bundle/THIRD-PARTY-NOTICES.txt"), "utf8");
    for (const name of ["commander", "ipaddr.js", "picocolors", "zod"])
      expect(notices).toMatch(new RegExp(`^${name} [\\d.]+\n\n[^-]*Copyright`, "m"));
  });

  test("says the version that it has", () => {
    expect((JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string }).version).toBe(VERSION);
  });

  test("passes publint", async () => {
    const { stdout } = await run("npx", ["publint", "run", folder.file(packed.filename), "--strict"], { cwd: root });
    expect(stdout).toContain("All good");
  });

  test("crawls by npx in the folder it was installed into", async () => {
    const { stderr } = await run("npx", ["nuthatch", "crawl", site.origin, "--rate-limit", "100/s"], { cwd: folder.path });
    expect(stderr).toMatch(/pages +2 +new 2/);
  });

  test("measures itself there, too", async () => {
    const { stdout } = await run("node_modules/.bin/nuthatch", ["bench", "--pages", "20", "--json"], { cwd: folder.path });
    expect(JSON.parse(stdout)).toMatchObject({ pages: 20, everyPageOnce: true });
  });

  test.each([
    ["node16", { module: "node16", moduleResolution: "node16" }],
    ["bundler", { module: "esnext", moduleResolution: "bundler" }],
  ])("the README's library example compiles under strict with %s, and runs", async (name, how) => {
    const example = /```ts\n([\s\S]*?)```/.exec(readFileSync(join(root, "README.md"), "utf8"))![1]!;
    const own = folder.file(name);
    mkdirSync(own);
    const compilerOptions = {
      ...how,
      target: "es2022",
      lib: ["esnext"],
      strict: true,
      types: ["node"],
      typeRoots: [join(root, "node_modules/@types")],
      outDir: "out",
    };
    writeFileSync(join(own, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["example.ts", "doors.ts"] }));
    // A program opens a private address only if it says so.
    const near = example
      .replaceAll("https://example.org", site.origin)
      .replace('db: "site.db"', 'db: "site.db", allowPrivate: ["127.0.0.0/8"]');
    writeFileSync(join(own, "example.ts"), near);
    writeFileSync(
      join(own, "doors.ts"),
      doors()
        .map((door, at) => `export * as door${at} from "${door}";\n`)
        .join(""),
    );
    await run(process.execPath, [tsc, "-p", own]).catch((error: { stdout: string }) => expect.fail(error.stdout));
    const { stdout } = await run(process.execPath, [join(own, "out", "example.js")], { cwd: own, env: { ...process.env } });
    expect(stdout.trim().split("\n").at(-1)).toBe("finished 2");
  });
});

/** The packages that a module imports or requires, without those of Node. */
function packagesIn(code: string): string[] {
  const named = [...code.matchAll(/(?:^import .*?|^} from |\bimport\(|\brequire\(|createRequire\(import\.meta\.url\)\()"([@a-z][^"]*)"/gm)];
  return named.map(([, path]) => /^(@[^/]+\/)?[^/]+/.exec(path!)![0]).filter((name) => !isBuiltin(name));
}

/** Every entry of the package that somebody may import. */
function doors(): string[] {
  const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { exports: Record<string, unknown> };
  return Object.keys(exports)
    .filter((entry) => entry !== "./package.json")
    .map((entry) => entry.replace(/^\./, "nuthatch"));
}
