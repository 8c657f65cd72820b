/** What is started in containers exists: compose.yaml, the image and the script in it are held against the real command line. */
import { execFileSync } from "node:child_process";
import { chmodSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { commands } from "../dist/src/interfaces/cli/commands.js";
import { environment } from "../dist/src/interfaces/cli/environment.js";
import { tempFolder } from "./cli.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (path: string) => readFileSync(join(root, path), "utf8");
const script = join(root, "docker/nuthatch.sh");

interface Service {
  readonly image: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly volumes: readonly string[];
  readonly ports?: readonly string[];
  readonly container_name?: string;
}

const compose = parse(read("compose.yaml"), { merge: true }) as {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, null>>;
};
const { password, database, server, worker } = compose.services as Record<"password" | "database" | "server" | "worker", Service>;
const dockerfile = read("Dockerfile");

/** The command, and what its options would be if it had been called so. */
async function called([name, ...args]: readonly string[]): Promise<Record<string, unknown>> {
  const entry = commands.find((command) => command.name === name);
  if (!entry) throw new Error(`there is no command ${name}`);
  const { build } = await entry.load();
  const { stdout, stderr, stdin } = process;
  const command = build({ stdout, stderr, stdin, env: {}, cwd: root }, () => undefined).exitOverride();
  const { unknown } = command.parseOptions([...args]);
  if (unknown.length > 0) throw new Error(`${name} does not know ${unknown.join(" ")}`);
  return command.opts();
}

describe("compose.yaml", () => {
  test.each([
    ["server", server.command!],
    ["worker", worker.command!],
    ["the worker's health", worker.healthcheck!.test.slice(2)],
    ["the image alone", JSON.parse(/^CMD (.+)$/m.exec(dockerfile)![1]!) as string[]],
  ])("%s calls a command that exists, with options that it has", async (_, command) => {
    await called(command);
  });

  test("such a check would see a command or an option that is gone", async () => {
    await expect(called(["work"])).rejects.toThrow("no command work");
    await expect(called(["serve", "--listen", "x"])).rejects.toThrow("--listen");
  });

  test("what is set for Nuthatch is what it reads", () => {
    const known = [...environment.map(({ name }) => name), "PGPASSWORD_FILE"];
    for (const service of [server, worker]) expect(known).toEqual(expect.arrayContaining(Object.keys(service.environment!)));
  });

  test("server and workers share one database and one place for bodies, and nothing else is theirs alone, so that any number can be started", () => {
    expect(worker.environment).toEqual(server.environment);
    expect(worker.volumes).toEqual(server.volumes);
    expect(worker.volumes).toContain(`bodies:${worker.environment!.NUTHATCH_BODIES}`);
    expect(worker).not.toHaveProperty("container_name");
    expect(worker).not.toHaveProperty("ports");
    for (const name of Object.values(compose.services).flatMap(({ volumes }) => volumes.map((one) => one.split(":")[0]!)))
      expect(Object.keys(compose.volumes)).toContain(name);
  });

  test("each waits until those are well that it needs", () => {
    expect(server.depends_on!.database!.condition).toBe("service_healthy");
    expect(worker.depends_on!.server!.condition).toBe("service_healthy");
    expect(database.depends_on!.password!.condition).toBe("service_completed_successfully");
    for (const service of [database, worker]) expect(service.healthcheck!.test[0]).toBe("CMD");
    expect(dockerfile).toMatch(/^HEALTHCHECK .*\/readyz/m);
  });

  test("holds no password, and opens nothing but the server, to this machine alone", () => {
    expect(read("compose.yaml")).not.toMatch(/postgres:\/\/[^/]*:[^/]*@/);
    for (const { environment: set = {} } of Object.values(compose.services))
      expect(Object.keys(set).filter((name) => /password|secret|key/i.test(name) && !name.endsWith("_FILE"))).toEqual([]);
    expect(Object.values(compose.services).flatMap(({ ports = [] }) => ports)).toEqual(["127.0.0.1:8000:8000"]);
  });

  test("a password is made once, and only those who need it can read it", () => {
    using folder = tempFolder();
    // Whose they are is settled where there are such users.
    const program = password.command![0]!.replaceAll("$$", "$").replaceAll(/^chown .*$/gm, "");
    const make = () => {
      execFileSync("sh", ["-euc", program], { env: { ...process.env, SECRETS: folder.path } });
      return ["database", "client"].map((name) => readFileSync(folder.file(name), "utf8"));
    };
    const [first, copy] = make();
    expect(first).toMatch(/^[A-Za-z0-9]{36,}$/);
    expect(copy).toBe(first);
    expect(make()[0]).toBe(first);
    expect(statSync(folder.file("client")).mode & 0o077).toBe(0);
  });
});

describe("the image", () => {
  test("is run by somebody who is not root, and has the client of PostgreSQL that is tested", () => {
    expect(/^USER (.+)$/m.exec(dockerfile)![1]).toBe("node");
    expect(dockerfile).toContain("require('./package.json').devDependencies.pg");
  });

  test("has the versions of the lock file: its last stage installs nothing, and another version ends the build", () => {
    const [, building, last] = dockerfile.split(/^FROM /m);
    expect(last).not.toMatch(/\bnpm\b/);
    const [, run, check, lock] = /^ && (node) (\S+) (\S+) node_modules$/m.exec(building!)!;
    expect([run, lock]).toEqual(["node", "/source/package-lock.json"]);
    using folder = tempFolder();
    const judge = (packages: object) => {
      writeFileSync(folder.file(".package-lock.json"), JSON.stringify({ packages }));
      return execFileSync("node", [join(root, check!.replace("/source/", "")), join(root, "package-lock.json"), folder.path], {
        stdio: "pipe",
      });
    };
    const { packages } = JSON.parse(read("package-lock.json")) as { packages: Record<string, { version: string }> };
    const { "node_modules/zod": zod } = packages;
    judge({ "node_modules/zod": zod });
    expect(() => judge({ "node_modules/zod": { ...zod, version: "4.0.0" } })).toThrow(/4\.0\.0/);
    expect(() => judge({ "node_modules/floating": { version: "1.0.0" } })).toThrow(/none/);
  });

  test.each([
    [
      "a server without a key makes one, and listens to all",
      ["serve", "--port", "9"],
      "",
      ["keys list --json", "keys create --name first --scope admin", "serve --host 0.0.0.0 --port 9"],
    ],
    ["one that has a key makes none", ["serve"], '"scope": "read"', ["keys list --json", "serve --host 0.0.0.0"]],
    ["one that wants none makes none", ["serve", "--no-auth"], "", ["serve --host 0.0.0.0 --no-auth"]],
    ["any other command is called as it is", ["worker", "--name", "a b"], "", ["worker --name a b"]],
  ])("%s", (_, args, keys, expected) => {
    using folder = tempFolder();
    const program = folder.file("program");
    writeFileSync(
      program,
      `#!/bin/sh\necho "$*" >> "${folder.file("calls")}"\n[ "$1" = keys ] && echo '${keys}' || test "$PGPASSWORD" = given\n`,
    );
    chmodSync(program, 0o755);
    writeFileSync(folder.file("password"), "given\n");
    execFileSync("sh", [script, ...args], {
      env: { ...process.env, NUTHATCH_PROGRAM: program, PGPASSWORD_FILE: folder.file("password") },
      stdio: "ignore",
    });
    expect(readFileSync(folder.file("calls"), "utf8").trim().split("\n")).toEqual(expected);
  });
});
