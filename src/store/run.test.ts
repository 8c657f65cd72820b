import { expect, test } from "vitest";
import type { StopReason } from "../core/records.ts";
import { foundNothing, noCounts, type RunStatus, runState, stopReasonOf } from "./index.ts";

test.each<
  [about: string, status: RunStatus, stopReason: StopReason | undefined, isAlive: boolean, state: string, told: string | undefined]
>([
  ["one at work", "running", undefined, true, "running", undefined],
  ["one whose process died", "running", undefined, false, "died", "died"],
  ["one that is finished", "finished", "finished", false, "finished", "finished"],
  ["one that a person stopped", "stopped", "stopped", false, "stopped", "stopped"],
  ["one that reached a limit", "stopped", "limit.pages", false, "limit", "limit.pages"],
  ["one whose hosts have to wait", "stopped", "deferred", false, "deferred", "deferred"],
  ["one that reached nobody", "failed", "no-pages", false, "failed", "no-pages"],
  ["one that failed", "failed", "failed", false, "failed", "failed"],
  ["one whose process hung", "failed", "hung", false, "failed", "hung"],
])("a run: %s", (_, status, stopReason, isAlive, state, told) => {
  expect([runState({ status, stopReason }, isAlive), stopReasonOf({ status, stopReason }, isAlive)]).toEqual([state, told]);
});

const changes = { ...noCounts().changes, gone: 1 };

test.each([
  ["what had nothing to do", {}, false],
  ["pages beside errors", { pages: 9, errors: 3 }, false],
  ["nobody who answers", { errors: 1 }, true],
  ["a redirect to nobody", { redirects: 1, errors: 1 }, true],
  ["a known page that is gone", { errors: 1, gone: 1, changes }, false],
  ["a known page that has moved", { redirects: 1, moved: 1, errors: 1 }, false],
])("found nothing: %s", (_, counted, expected) => expect(foundNothing({ ...noCounts(), ...counted })).toBe(expected));
