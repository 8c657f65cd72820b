import { describe, expect, test } from "vitest";
import { ScoreOptions } from "../score/options.ts";
import { UrlOptions } from "../url/options.ts";
import { type GuardMemory, Guards } from "./guards.ts";

const blocks = { raw: new Uint32Array(), unlinked: new Uint32Array(), masked: new Uint32Array() };
const newGuards = () => new Guards({ ...UrlOptions.parse({}), ...ScoreOptions.parse({}), order: "best", maxPages: 10_000 }, () => false);
const list = (guards: Guards) => guards.traps!.suspect("http://a.test/list?page=1", undefined)!;

/** Visits a list that says nothing, and answers what was noted after each visit. */
function visitList(guards: Guards, visits: number): (GuardMemory | undefined)[] {
  return Array.from({ length: visits }, () => {
    guards.traps!.learn(list(guards), blocks);
    return guards.note(1);
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
    expect(guards.note(1)).toBeDefined();
    expect(guards.note(1)).toBeUndefined();
  });

  test("is not noted where there is nothing to watch for", () => {
    const guards = newGuards();
    for (let visit = 0; visit < 1000; visit++) {
      guards.traps!.meet(`http://a.test/${visit}`);
      expect(guards.note(1)).toBeUndefined();
    }
  });
});
