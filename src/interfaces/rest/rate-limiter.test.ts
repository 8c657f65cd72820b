import { expect, test } from "vitest";
import { Problem } from "./problem.ts";
import { RateLimiter } from "./rate-limiter.ts";

test("whoever asks too often is told when to come back, and nobody else notices", () => {
  let time = 0;
  const pace = new RateLimiter({ perMinute: 3, now: () => time });
  const left = () => pace.takeToken("a").ratelimit;
  expect([left(), left(), left()]).toEqual(['"default";r=2;t=20', '"default";r=1;t=40', '"default";r=0;t=60']);
  const refusal = (() => {
    try {
      return pace.takeToken("a");
    } catch (cause) {
      return cause;
    }
  })();
  expect(refusal).toBeInstanceOf(Problem);
  expect(refusal).toMatchObject({ problem: "rate-limited", status: 429, more: { retryAfter: 20 } });
  expect(pace.takeToken("b").ratelimit).toBe('"default";r=2;t=20');
  time += 20_000;
  expect(left()).toBe('"default";r=0;t=60');
});
