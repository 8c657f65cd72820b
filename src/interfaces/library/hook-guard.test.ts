import { describe, expect, test } from "vitest";
import { HookGuard, PluginError } from "./hook-guard.ts";

const guarding = (isStrict = false) => new HookGuard({ names: ["minutes"], isStrict, patience: 20 });
const never = () => new Promise<never>(() => undefined);

describe("a hook is guarded", () => {
  test.each<[string, () => unknown, string]>([
    ["it throws", () => Promise.reject(new Error("boom")), "onPage: boom"],
    [
      "it throws at once",
      () => {
        throw new Error("boom");
      },
      "onPage: boom",
    ],
    ["it throws something else", () => Promise.reject("a word"), "onPage: a word"],
    ["it does not come back", never, "onPage: took longer than 0.02 s"],
  ])("%s", async (_, call, lastError) => {
    const guard = guarding();
    expect(await guard.run("minutes", "onPage", call)).toBeUndefined();
    expect(guard.report()).toEqual({ minutes: { errors: 1, lastError } });
    await expect(guarding(true).run("minutes", "onPage", call)).rejects.toThrow(PluginError);
  });

  test("one of many small steps lets others have their turn, and ends where it is late", async () => {
    const guard = guarding();
    let steps = 0;
    await guard.run("minutes", "onHtml", async (rest) => {
      for (; ; steps++) {
        for (const until = performance.now() + 1; performance.now() < until; );
        await rest();
      }
    });
    const before = steps;
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(steps).toBe(before);
    expect(guard.report().minutes).toEqual({ errors: 1, lastError: "onHtml: took longer than 0.02 s" });
  });

  test("one that has to answer at once may not answer with a promise, and a promise that fails unheard harms nobody", () => {
    const guard = guarding();
    expect(guard.runSync("minutes", "filterUrl", () => Promise.reject(new Error("too late")))).toBeUndefined();
    expect(guard.report().minutes).toEqual({ errors: 1, lastError: "filterUrl: must answer at once, without a promise" });
  });

  test("what it answers is handed on, and nothing is counted", async () => {
    const guard = guarding(true);
    expect(guard.runSync("minutes", "priority", () => 3)).toBe(3);
    expect(await guard.run("minutes", "onPage", async () => "well")).toBe("well");
    expect(guard.report()).toEqual({ minutes: { errors: 0, lastError: undefined } });
  });
});
