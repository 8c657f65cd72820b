import { expect, test } from "vitest";
import { pollEvery } from "./clock.ts";

test("a look begins when the one before has ended, also where that failed, and none after it was called off", async () => {
  let [under, most, begun] = [0, 0, 0];
  const ends: (() => void)[] = [];
  const hasBegun = (count: number) => expect.poll(() => begun).toBe(count);
  const stop = pollEvery(1, async () => {
    begun += 1;
    under += 1;
    most = Math.max(most, under);
    await new Promise<void>((resolve) => ends.push(resolve));
    under -= 1;
    if (begun === 1) throw new Error("the first");
  });
  await hasBegun(1);
  ends[0]!();
  await hasBegun(2);
  stop();
  ends[1]!();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect({ most, begun }).toEqual({ most: 1, begun: 2 });
});
