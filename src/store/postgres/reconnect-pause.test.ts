import { expect, test } from "vitest";
import { ConnectionLost } from "./errors.ts";
import { ReconnectPause } from "./reconnect-pause.ts";

const lost = new ConnectionLost("lost", "try again");

/** The pauses after each of a number of failed tries. */
function pausesOf(tries: number): number[] {
  const pause = new ReconnectPause();
  return Array.from({ length: tries }, (_, at) => {
    pause.tryOnce(() => undefined);
    const before = performance.now();
    // Three statements were sent together.
    for (let number = 3 * at + 1; number <= 3 * at + 3; number++) pause.begin(lost, number, 3 * at + 3);
    return pause.until - before;
  });
}

test("the first try is made at once, those after it ever later, up to ten seconds, and no process waits as long as another", () => {
  const many = Array.from({ length: 50 }, () => pausesOf(12));
  for (const pauses of many) {
    expect(Math.round(pauses[0]!)).toBe(0);
    expect(pauses[1]).toBeLessThanOrEqual(251);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(10_001);
    for (const pause of pauses.slice(8)) expect(pause).toBeGreaterThanOrEqual(5000);
  }
  expect(new Set(many.map((pauses) => Math.round(pauses[11]!))).size).toBeGreaterThan(25);
});

test("while it lasts nobody tries, and it is over with the first answer", () => {
  const pause = new ReconnectPause();
  expect(pause.isActive).toBe(false);
  for (let times = 0; times < 3; times++) {
    pause.tryOnce(() => expect(pause.isActive).toBe(false));
    if (times > 0) expect(pause.isActive, "while the try is under way").toBe(true);
    pause.begin(lost, times + 1, times + 1);
    pause.tryEnded();
  }
  expect(pause.isActive).toBe(true);
  pause.end();
  expect(pause.isActive).toBe(false);
});
