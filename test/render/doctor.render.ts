import { expect, test } from "vitest";
import { tempFolder } from "../cli.ts";
import { nuthatchHere } from "../in-process.ts";
import { lackOf } from "./show-pages.ts";

const every = ["chromium", "firefox", "webkit"] as const;
const lacks = await Promise.all(every.map(lackOf));

test("the doctor says which engines work, and what is the matter with the others", async () => {
  using folder = tempFolder();
  const { stdout } = await nuthatchHere(["doctor", "--render", "auto", "--json"], { cwd: folder.path });
  const { checks } = JSON.parse(stdout) as { checks: { name: string; state: string; said: string; fix?: string }[] };
  for (const [at, engine] of every.entries()) {
    const check = checks.find(({ name }) => name === engine)!;
    expect([engine, check.state]).toEqual([engine, lacks[at] === "" ? "ok" : "warn"]);
    if (lacks[at] === "") expect(check.said).toMatch(/^[\d.]+/);
  }
});

test("one that does not start is told, with what it said", async () => {
  using folder = tempFolder();
  const args = ["doctor", "--render", "auto", "--engines", "chromium", "--browser", "chromium=/bin/false", "--json"];
  const { stdout, code } = await nuthatchHere(args, { cwd: folder.path });
  expect(code).not.toBe(0);
  const { checks } = JSON.parse(stdout) as { checks: { name: string; state: string; said: string; fix?: string }[] };
  expect(checks.find(({ name }) => name === "chromium")).toMatchObject({ state: "bad", said: expect.stringContaining("/bin/false") });
});
