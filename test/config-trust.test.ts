import { chmodSync, chownSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, test } from "vitest";
import { isPrivateGroup } from "../src/core/file-owner.ts";
import { nuthatch, tempFolder } from "./cli.ts";
import { nuthatchHere } from "./in-process.ts";

const NOBODY = 65_534;
const canGiveAway = process.getuid?.() === 0;
const needsRoot = canGiveAway ? "" : " (skipped: only root can give files to another user)";

/** A project with a config that leaves a mark when it is run, and a folder below it to work in. */
function project(file = "nuthatch.config.js") {
  const folder = tempFolder();
  mkdirSync(folder.file("p/a/b"), { recursive: true });
  writeFileSync(folder.file("p/package.json"), '{ "type": "module" }');
  const marker = folder.file("marker");
  const text = file.endsWith(".js")
    ? `import { writeFileSync } from "node:fs"; writeFileSync(${JSON.stringify(marker)}, "ran"); export default { maxDepth: 3 };`
    : file.endsWith(".json")
      ? '{ "maxDepth": 3 }'
      : "maxDepth: 3\n";
  write(folder.file(`p/${file}`), text);
  return { ...folder, config: folder.file(`p/${file}`), cwd: folder.file("p/a/b"), wasRun: () => existsSync(marker) };
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

type Project = ReturnType<typeof project>;
type Change = (place: Project) => void;

const giveAway: Change = ({ config }) => chownSync(config, NOBODY, NOBODY);

describe.skipIf(!canGiveAway)(`a config that belongs to another user${needsRoot}`, () => {
  test.each([
    ["pages", ["pages"]],
    ["fetch", ["fetch", "http://127.0.31.9/"]],
    ["doctor", ["doctor"]],
    ["crawl", ["crawl", "http://127.0.31.9/"]],
    ["config show", ["config", "show"]],
    ["config validate", ["config", "validate"]],
    ["serve", ["serve", "--port", "0"]],
  ])("is neither run nor read by %s", async (_, args) => {
    using place = project();
    giveAway(place);
    const { code, stdout, stderr } = await nuthatch(args, { cwd: place.cwd });
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^nuthatch: \.\.\/\.\.\/nuthatch\.config\.js was not read: it belongs to another user \(uid 65534\)\n/);
    expect(stderr).toMatch(/ {2}why: .*nobody but you and root[\s\S]* {2}try: .*-c \.\.\/\.\.\/nuthatch\.config\.js/);
    expect(place.wasRun()).toBe(false);
  });

  test("is not read by init either, which adds to the one that is there", async () => {
    using place = project();
    giveAway(place);
    const { code } = await nuthatchHere(["init", "github-action"], { cwd: place.file("p") });
    expect([code, place.wasRun(), existsSync(place.file("p/.github"))]).toEqual([2, false, false]);
  });

  test.each<[string, string, Change]>([
    ["of plain options", "nuthatch.config.yaml", giveAway],
    ["in JSON", "nuthatch.config.json", giveAway],
    ["in a folder of theirs", "nuthatch.config.js", ({ file }) => chownSync(file("p"), NOBODY, NOBODY)],
    ["above a folder of theirs", "nuthatch.config.js", ({ file }) => chownSync(file("p/a"), NOBODY, NOBODY)],
    [
      "behind a link of ours",
      "elsewhere/nuthatch.config.js",
      ({ file, config }) => {
        chownSync(config, NOBODY, NOBODY);
        symlinkSync(config, file("p/nuthatch.config.js"));
      },
    ],
    [
      "beside a link of ours, where they may replace it",
      "elsewhere/nuthatch.config.js",
      ({ file, config }) => {
        chownSync(dirname(config), NOBODY, NOBODY);
        symlinkSync(config, file("p/nuthatch.config.js"));
      },
    ],
    [
      "whose packages are theirs",
      "nuthatch.config.js",
      ({ file }) => {
        mkdirSync(file("node_modules"));
        chownSync(file("node_modules"), NOBODY, NOBODY);
      },
    ],
  ])("%s is refused", async (_, name, change) => {
    using place = project(name);
    change(place);
    const { code, stderr } = await nuthatchHere(["config", "show"], { cwd: place.cwd });
    expect([code, stderr, place.wasRun()]).toEqual([2, expect.stringContaining("belongs to another user"), false]);
  });

  test("a .nuthatchignore of theirs is refused, too", async () => {
    using place = project();
    write(place.file("p/a/.nuthatchignore"), "/**\n");
    chownSync(place.file("p/a/.nuthatchignore"), NOBODY, NOBODY);
    const { code, stderr } = await nuthatchHere(["config", "show"], { cwd: place.cwd });
    expect([code, stderr]).toEqual([2, expect.stringMatching(/\.\.\/\.nuthatchignore was not read: it belongs to another user/)]);
  });

  test("-c takes it at the user's word, and tells whose it is", async () => {
    using place = project();
    giveAway(place);
    const { code, stdout, stderr } = await nuthatchHere(["config", "show", "--json", "-c", place.config], { cwd: place.cwd });
    expect([code, JSON.parse(stdout).options.maxDepth, place.wasRun()]).toEqual([0, 3, true]);
    expect(stderr).toBe(`${place.config} belongs to another user (uid 65534); it is read because you named it\n`);
  });
});

describe.skipIf(process.getuid === undefined)("a config that others may write", () => {
  test.each<[string, Change, RegExp]>([
    ["everybody", ({ config }) => chmodSync(config, 0o666), /it can be written by everybody/],
    ["everybody, by its folder", ({ file }) => chmodSync(file("p"), 0o777), /\/p can be written by everybody/],
    ["everybody, though they may not remove", ({ file }) => chmodSync(file("p"), 0o1777), /\/p can be written by everybody/],
    ["everybody, in a folder on the way", ({ file }) => chmodSync(file("p/a"), 0o777), /\/p\/a can be written by everybody/],
  ])("%s: is refused", async (_, change, message) => {
    using place = project();
    change(place);
    const { code, stderr } = await nuthatchHere(["pages"], { cwd: place.cwd });
    expect([code, stderr, place.wasRun()]).toEqual([2, expect.stringMatching(message), false]);
  });

  test.skipIf(!canGiveAway)(`a group that is not ours alone: is refused${needsRoot}`, async () => {
    using place = project();
    chownSync(place.config, 0, NOBODY);
    chmodSync(place.config, 0o664);
    const { code, stderr } = await nuthatchHere(["pages"], { cwd: place.cwd });
    expect([code, stderr]).toEqual([2, expect.stringContaining("can be written by its group (gid 65534)")]);
  });

  test("named with -c, it is read with a warning, and without one where talk is not wanted", async () => {
    using place = project("nuthatch.config.yaml");
    chmodSync(place.config, 0o666);
    const shown = ["config", "show", "--json", "-c", place.config];
    expect((await nuthatchHere(shown, { cwd: place.cwd })).stderr).toContain(
      "can be written by everybody; it is read because you named it",
    );
    expect((await nuthatchHere([...shown, "-q"], { cwd: place.cwd })).stderr).toBe("");
  });
});

describe("where a config is looked for", () => {
  const at = async (cwd: string, env: Record<string, string> = {}) =>
    (JSON.parse((await nuthatch(["config", "show", "--json"], { cwd, env })).stdout) as { file: string | null }).file;

  test.each<[string, Change]>([
    ["a folder with .git", ({ file }) => mkdirSync(file("p/a/.git"))],
    ["a work tree, whose .git is a file", ({ file }) => writeFileSync(file("p/a/.git"), "gitdir: elsewhere\n")],
    ["a folder with package.json", ({ file }) => writeFileSync(file("p/a/package.json"), "{}")],
  ])("not above %s", async (_, change) => {
    using place = project("nuthatch.config.json");
    expect(await at(place.cwd)).toBe("../../nuthatch.config.json");
    change(place);
    expect(await at(place.cwd)).toBeNull();
  });

  test("not above the home folder", async () => {
    using place = project("nuthatch.config.json");
    expect(await at(place.cwd, { HOME: place.file("p") })).toBe("../../nuthatch.config.json");
    expect(await at(place.cwd, { HOME: place.file("p/a") })).toBeNull();
  });
});

describe("a group that may write is no stranger if only we are in it", () => {
  const passwd = [
    ["ann", "x", "1000", "1000"],
    ["bob", "x", "1001", "100"],
    ["ann-admin", "x", "1000", "100"],
  ];
  test.each([
    ["one of our own", "ann:x:1000:", true],
    ["one to which we were added again", "ann:x:1000:ann", true],
    ["one under our other name", "team:x:2000:ann,ann-admin", true],
    ["one with another member", "ann:x:1000:bob", false],
    ["one with a member that nobody knows", "ann:x:1000:eve", false],
    ["one that is the first of others", "users:x:100:", false],
    ["one without members", "empty:x:2000:", false],
    ["one that is not listed", "other:x:7:", false],
  ])("%s", (_, line, isOwn) => {
    const group = line.split(":");
    const gid = group[0] === "other" ? 8 : Number(group[2]);
    expect(isPrivateGroup(gid, 1000, (path) => (path === "/etc/passwd" ? passwd : [group]))).toBe(isOwn);
  });
});
