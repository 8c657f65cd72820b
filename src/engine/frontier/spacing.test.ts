import { expect, test } from "vitest";
import type { Backlog, TurnReply } from "../../store/index.ts";
import { Spacing } from "./spacing.ts";

const turn = (host: string) => ({ host, visit: 0, delay: 0, cause: "rate" as const });

function counting(reply: (host: string) => TurnReply = () => ({ granted: true })): Backlog & { asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    hosts: async () => [],
    load: async () => [],
    claim: async (turns) => {
      asked.push(...turns.map(({ host }) => host));
      return turns.map(({ host }) => reply(host));
    },
    giveBack: async () => undefined,
    release: async () => undefined,
  };
}

test("of two hosts that are asked for at once one has to wait, and the store is not even asked for it", async () => {
  const clock = { now: () => 1000 };
  const backlog = counting();
  const spaced = new Spacing(500, clock).over(backlog);
  expect(await spaced.claim([turn("a"), turn("b")])).toEqual([{ granted: true }, { granted: false, wait: 500 }]);
  expect(backlog.asked).toEqual(["a"]);
});

test("runs that share it wait for each other, until the pause is over", async () => {
  let now = 1000;
  const spacing = new Spacing(500, { now: () => now });
  const [one, other] = [spacing.over(counting()), spacing.over(counting())];
  expect(await one.claim([turn("a")])).toEqual([{ granted: true }]);
  now = 1400;
  expect(await other.claim([turn("b")])).toEqual([{ granted: false, wait: 100 }]);
  now = 1500;
  expect(await other.claim([turn("b")])).toEqual([{ granted: true }]);
});

test("a turn that was refused or given back costs no pause", async () => {
  const spaced = new Spacing(500, { now: () => 1000 }).over(
    counting((host) => (host === "busy" ? { granted: false, wait: 70 } : { granted: true })),
  );
  expect(await spaced.claim([turn("busy"), turn("a")])).toEqual([{ granted: false, wait: 70 }, { granted: true }]);
  await spaced.giveBack("a");
  expect(await spaced.claim([turn("b")])).toEqual([{ granted: true }]);
});

test("no pause is no work", () => {
  const backlog = counting();
  expect(new Spacing(0, { now: () => 0 }).over(backlog)).toBe(backlog);
});
