import { describe, expect, test } from "vitest";
import { csv } from "./csv.ts";

async function cellOf(value: unknown): Promise<string> {
  async function* one() {
    yield { value };
  }
  let text = "";
  for await (const part of csv(one(), false)) text += part;
  return text.slice(0, -2);
}

describe("a cell of a table", () => {
  test.each([
    ["is as it is", "plain words", "plain words"],
    ["is quoted where it would part", 'a,"b"', '"a,""b"""'],
    ["is no formula", "=1+2", "'=1+2"],
    ["nor one that begins with a sign", "+1", "'+1"],
    ["or a hyphen", "-1+cmd", "'-1+cmd"],
    ["or an at sign", "@SUM(A1)", "'@SUM(A1)"],
    ["or a tab", "\t=1", "\"'\t'=1\""],
    ["or a line break", "\n=1", "\"'\n'=1\""],
    ["or what overwrites a line", "\r=1", "\\x0d=1"],
    ["or behind blanks", "  =1", "'  =1"],
    ["or behind quotes", '"=1', `"'""=1"`],
    ["or in wide letters", "＝1", "'＝1"],
    ["or behind what is not seen", "\u200b=1", "'\u200b=1"],
    ["also where semicolons part cells", 'a; "=1', `"a; ""'=1"`],
    ["also where it begins a line", "a\n=1", `"a\n'=1"`],
    ["keeps numbers as they are", -1.5, "-1.5"],
    ["is empty where nothing is known", null, ""],
    ["holds objects as JSON", { a: ";=1" }, `"{""a"":"";'=1""}"`],
  ])("%s", async (_, value, text) => {
    expect(await cellOf(value)).toBe(text);
  });

  test("is made in time that grows as it does", async () => {
    expect((await cellOf("\n ".repeat(200_000))).length).toBeGreaterThan(200_000);
  });
});
