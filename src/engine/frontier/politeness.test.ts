import { expect, test } from "vitest";
import { type Answer, backOff, delayAfter, newPace, type Pace, receiptAllowance, regularDelay, updatePace } from "./politeness.ts";

const answered = (duration: number): Answer => ({ kind: "answered", duration });
const failed: Answer = { kind: "failed" };
const urlFailed: Answer = { kind: "failed", blames: "url" };
const sameAgain: Answer = { kind: "failed", blames: "known-url" };
const wait = (retryAfter?: number): Answer => ({ kind: "asked-to-wait", retryAfter });

test.each<[string, Partial<Pace>, number, boolean, { wait: number; cause: string }]>([
  ["our rate alone", {}, 1000, true, { wait: 1000, cause: "rate" }],
  ["no rate is no wait", {}, 0, true, { wait: 0, cause: "rate" }],
  ["a longer Crawl-delay wins over our rate", { crawlDelay: 3000 }, 1000, true, { wait: 3000, cause: "crawl-delay" }],
  ["a shorter Crawl-delay does not hurry us", { crawlDelay: 500 }, 1000, true, { wait: 1000, cause: "rate" }],
  ["a Crawl-delay counts without a rate", { crawlDelay: 500 }, 0, true, { wait: 500, cause: "crawl-delay" }],
  ["a host that became slow gets its latency", { latency: 4500, bestLatency: 100 }, 1000, true, { wait: 4500, cause: "slow" }],
  ["a host that was always slow keeps our rate", { latency: 4500, bestLatency: 4000 }, 1000, true, { wait: 1000, cause: "rate" }],
  ["less than a second is not slow", { latency: 900, bestLatency: 10 }, 0, true, { wait: 0, cause: "rate" }],
  ["slowing down can be turned off", { latency: 4500, bestLatency: 100 }, 1000, false, { wait: 1000, cause: "rate" }],
  ["the longest of all wins", { latency: 4500, bestLatency: 100, crawlDelay: 9000 }, 1000, true, { wait: 9000, cause: "crawl-delay" }],
])("regular delay: %s", (_, pace, ours, autoSlow, expected) => {
  expect(regularDelay({ ...newPace(), ...pace }, ours, autoSlow)).toEqual(expected);
});

test.each([
  ["the first failure", 1, 1000, 1000],
  ["the second waits twice as long", 2, 1000, 2000],
  ["the fifth sixteen times", 5, 1000, 16_000],
  ["a rate below a second backs off from a second", 1, 100, 1000],
  ["a long Crawl-delay is the start", 2, 10_000, 20_000],
  ["never more than ten minutes", 12, 1000, 600_000],
  ["however many failures", 5000, 1000, 600_000],
])("back-off: %s", (_, failures, regular, expected) => {
  expect(backOff({ ...newPace(), failures }, regular)).toEqual({ wait: expected, cause: "backoff" });
});

test.each<[string, readonly Answer[], number, string]>([
  ["an answer: the regular delay", [answered(50)], 1000, "rate"],
  ["a failure backs off", [failed], 1000, "backoff"],
  ["failures in a row double", [failed, failed, failed], 4000, "backoff"],
  ["an answer in between forgives", [failed, failed, answered(50), failed], 1000, "backoff"],
  ["a URL that fails, of a host that answers others: the regular delay", [answered(50), urlFailed], 1000, "rate"],
  ["four such in a row", [answered(50), urlFailed, urlFailed, urlFailed, urlFailed], 1000, "rate"],
  ["a fifth URL in a row speaks against the host", [answered(50), urlFailed, urlFailed, urlFailed, urlFailed, urlFailed], 1000, "backoff"],
  ["every further one doubles", [answered(50), ...Array<Answer>(7).fill(urlFailed)], 4000, "backoff"],
  [
    "an answer in between clears the host",
    [answered(50), urlFailed, urlFailed, urlFailed, answered(50), urlFailed, urlFailed],
    1000,
    "rate",
  ],
  ["the same URL again, however often, says nothing new", [answered(50), urlFailed, ...Array<Answer>(9).fill(sameAgain)], 1000, "rate"],
  ["a host that has answered nothing yet has only its failure", [urlFailed], 1000, "backoff"],
  ["where no connection can be made one is enough", [answered(50), failed], 1000, "backoff"],
  ["and whatever fails then is its failure", [answered(50), failed, sameAgain, urlFailed], 4000, "backoff"],
  ["Retry-After is obeyed", [wait(30_000)], 30_000, "retry-after"],
  ["Retry-After below our rate does not hurry us", [wait(10)], 1000, "retry-after"],
  ["Retry-After wins over a grown back-off", [failed, failed, failed, wait(2000)], 2000, "retry-after"],
  ["asked to wait without a time backs off", [wait(), wait()], 2000, "backoff"],
])("after %s", (_, answers, expected, cause) => {
  const pace = newPace();
  for (const answer of answers) updatePace(pace, answer);
  expect(delayAfter(pace, answers.at(-1)!, regularDelay(pace, 1000, true))).toEqual({ wait: expected, cause });
});

test("latency is smoothed, and the best one is remembered", () => {
  const pace = newPace();
  for (const duration of [100, 1100]) updatePace(pace, answered(duration));
  expect(pace).toMatchObject({ answered: 2, bestLatency: 100, latency: 0.7 * 100 + 0.3 * 1100 });
});

test.each([
  ["a quick request is counted from its end", 5, 1000, 5],
  ["so is a slow one, as long as it took less than the delay", 800, 1000, 800],
  ["one slower than the delay is counted from a delay after it left", 5000, 1000, 1000],
  ["without a delay there is nothing to allow for", 800, 0, 0],
])("receipt: %s", (_, duration, delay, expected) => {
  expect(receiptAllowance(duration, delay)).toBe(expected);
});
