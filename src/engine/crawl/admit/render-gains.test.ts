import { expect, test } from "vitest";
import type { TemplateGain } from "../../../store/index.ts";
import { type RenderDecision, RenderGains } from "./render-gains.ts";

/** A store in memory that outlives runs. */
function aShelf(stored: Readonly<Record<string, TemplateGain>> = {}) {
  const gains = new Map(Object.entries(stored));
  return {
    gains,
    gain: async (_: number, template: string) => gains.get(template),
    saveGain: async (_: number, template: string, gain: TemplateGain) => void gains.set(template, gain),
    hostEngine: async () => undefined,
    saveHostEngine: async () => undefined,
    picture: async () => undefined,
  };
}

const urlOf = (folder: string, number: number) => `https://a.test/${folder}/${number}`;

/** Visits pages one after the other and returns the decision for each. */
async function meet(
  gains: RenderGains,
  folder: string,
  pages: number,
  { hasGained = false, isShell = false } = {},
): Promise<RenderDecision[]> {
  const showings: RenderDecision[] = [];
  for (let number = 0; number < pages; number++) {
    const showing = await gains.decision(1, urlOf(folder, number), isShell);
    if (showing !== "leave") await gains.learn(1, urlOf(folder, number), showing, hasGained);
    showings.push(showing);
  }
  return showings;
}

test("a template that gains is rendered always, from the first sample on", async () => {
  const shelf = aShelf();
  expect(await meet(new RenderGains(shelf), "list", 4, { hasGained: true })).toEqual(["sample", "render", "render", "render"]);
  expect(shelf.gains.get("a.test/list/{n}")).toEqual({ shown: 4, gained: 4 });
  expect(await meet(new RenderGains(shelf), "list", 1, { hasGained: true }), "and in later runs").toEqual(["render"]);
});

test("one that does not is left alone after three, and tried once in every later run", async () => {
  const shelf = aShelf();
  expect(await meet(new RenderGains(shelf), "news", 5)).toEqual(["sample", "sample", "sample", "leave", "leave"]);
  expect(await meet(new RenderGains(shelf), "news", 3)).toEqual(["sample", "leave", "leave"]);
  expect(await meet(new RenderGains(shelf), "news", 3, { hasGained: true }), "until it gains").toEqual(["sample", "render", "render"]);
});

test("a shell is rendered without a sample, unless shells of its template stay empty", async () => {
  const empty = await meet(new RenderGains(aShelf()), "app", 8, { isShell: true });
  expect(empty).toEqual([...Array(5).fill("render"), ...Array(1).fill("sample"), "sample", "sample"]);
  expect(await meet(new RenderGains(aShelf()), "app", 8, { isShell: true, hasGained: true })).toEqual(Array(8).fill("render"));
});

const lettersOf = (number: number) => [...String(number)].map((digit) => "abcdefghij"[Number(digit)]).join("");

test("samples in vain are few over the whole run: ten at first, then a twentieth of the pages, and a new template goes before one that was tried", async () => {
  const gains = new RenderGains(aShelf());
  const showings: RenderDecision[] = [];
  for (let page = 0; page < 400; page++) showings.push(...(await meet(gains, lettersOf(page), 1)));
  expect([100, 200, 400].map((met) => showings.slice(0, met).filter((showing) => showing === "sample").length)).toEqual([10, 10, 20]);
  const others = new RenderGains(aShelf());
  expect([await meet(others, "one", 4), await meet(others, "two", 2)]).toEqual([
    ["sample", "sample", "sample", "leave"],
    ["sample", "leave"],
  ]);
});

test("whoever meets a template while others try it waits for what they bring", async () => {
  const gains = new RenderGains(aShelf());
  const first = await Promise.all([0, 1, 2].map((number) => gains.decision(1, urlOf("list", number), false)));
  expect(first).toEqual(["sample", "sample", "sample"]);
  const waiting = gains.decision(1, urlOf("list", 3), false);
  await gains.learn(1, urlOf("list", 0), "sample", false);
  await gains.learn(1, urlOf("list", 1), "sample", true);
  expect(await waiting).toBe("render");
});

test("a template that gained once in many is no longer worth it", async () => {
  const gains = new RenderGains(aShelf({ "a.test/mixed/{n}": { shown: 5, gained: 1 } }));
  expect(await meet(gains, "mixed", 5)).toEqual(["render", "sample", "sample", "sample", "leave"]);
});
