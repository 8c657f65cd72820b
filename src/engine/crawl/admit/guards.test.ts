import { describe, expect, test } from "vitest";
import { ScoreOptions } from "../../../analysis/score/options.ts";
import { UrlOptions } from "../../../analysis/url/options.ts";
import { type GuardMemory, Guards } from "./guards.ts";

const blocks = { raw: new Uint32Array(), unlinked: new Uint32Array(), masked: new Uint32Array() };
const newGuards = (keywords = {}, order: "best" | "breadth" = "best") =>
  new Guards({ ...UrlOptions.parse({}), ...ScoreOptions.parse({ keywords }), order, maxPages: 10_000 }, () => false);
const list = (guards: Guards) => guards.traps!.suspect("http://a.test/list?page=1", undefined)!;

/** Visits a list without content, and returns what was noted after each visit. */
function visitList(guards: Guards, visits: number): (GuardMemory | undefined)[] {
  return Array.from({ length: visits }, () => {
    guards.traps!.learn(list(guards), blocks);
    return guards.snapshotIfDue(1);
  });
}

describe("what the guards learned", () => {
  test("is noted with the visit that brought a verdict, and holds after a kill", () => {
    const guards = newGuards();
    const notes = visitList(guards, 20);
    const verdict = notes.findIndex((note) => note !== undefined);
    expect(guards.traps!.admit(list(guards))).toBe(false);
    const resumed = newGuards();
    resumed.restore(JSON.parse(JSON.stringify(notes[verdict])));
    expect(resumed.traps!.admit(list(resumed))).toBe(false);
    expect(verdict).toBe(11);
  });

  test("is noted at once by a run that was resumed", () => {
    const guards = newGuards();
    guards.restore(JSON.parse(JSON.stringify(visitList(newGuards(), 12).at(-1))));
    expect(guards.snapshotIfDue(1)).toBeDefined();
    expect(guards.snapshotIfDue(1)).toBeUndefined();
  });

  test("is not noted where there is nothing to watch for", () => {
    const guards = newGuards();
    for (let visit = 0; visit < 1000; visit++) {
      guards.traps!.meet(`http://a.test/${visit}`);
      expect(guards.snapshotIfDue(1)).toBeUndefined();
    }
  });

  test("of what is worth going to is noted too, and a resumed run goes on knowing", () => {
    const guards = newGuards({ water: 1 });
    const at = (number: number, kind: string) => ({
      hash: { hi: 0, lo: number },
      url: `http://a.test/${kind}/${number}`,
      parent: "http://a.test/",
    });
    const notes = Array.from({ length: 40 }, (_, visit) => {
      guards.estimator!.learn(at(2 * visit, "minutes"), 1);
      guards.estimator!.learn(at(2 * visit + 1, "photo"), 0);
      return guards.snapshotIfDue(2);
    });
    const resumed = newGuards({ water: 1 });
    resumed.restore(JSON.parse(JSON.stringify(notes.findLast((note) => note !== undefined))));
    const promise = (kind: string) => {
      const [{ hash, url }, rest] = [
        at(1000 + kind.length, kind),
        { kind: "page", via: "link", depth: 1, hops: 0, lastmod: undefined } as const,
      ];
      resumed.estimator!.track({ ...rest, hash, url, key: url, isNofollow: false }, "http://a.test/new");
      return resumed.estimator!.estimateOf(hash);
    };
    expect(promise("minutes")).toBeGreaterThan(promise("photo") + 0.2);
  });

  test.each([
    ["without keywords", {}, "best"],
    ["in a plain order", { water: 1 }, "breadth"],
  ] as const)("%s nothing is asked of the learner", (_, keywords, order) => {
    expect(newGuards(keywords, order).estimator).toBeUndefined();
  });
});
