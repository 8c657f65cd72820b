import { expect, test } from "vitest";
import { parsePrice, Spending } from "./spending.ts";

const price = parsePrice("1, 2");
const unlimited = { tokens: Number.POSITIVE_INFINITY, usd: Number.POSITIVE_INFINITY, price: undefined };
const expected = { read: 800, written: 200 };

type Begun = ReturnType<Spending["reserve"]>;

function ended(begun: Begun): Exclude<Begun, string> {
  if (typeof begun === "string") throw new Error(begun);
  return begun;
}

/** Number of calls of 1,000 tokens that the limits allow. */
function callsWithin(limits: Partial<ConstructorParameters<typeof Spending>[0]>, used = expected): number {
  const spending = new Spending({ ...unlimited, ...limits });
  for (let calls = 0; calls < 50; calls++) {
    const end = spending.reserve(expected);
    if (typeof end === "string") return calls;
    end(used, 1);
  }
  return 50;
}

test.each<[string, number, number]>([
  ["tokens are counted, read and written together", callsWithin({ tokens: 3500 }), 3],
  ["to the last one", callsWithin({ tokens: 3000 }), 3],
  ["none means none", callsWithin({ tokens: 0 }), 0],
  ["dollars are counted by the price of each kind", callsWithin({ usd: 0.0049, price }), 4],
  ["where the price is not known, as if it were among the dearest", callsWithin({ usd: 0.1 }), 3],
  ["the narrower of both limits holds", callsWithin({ usd: 100, price, tokens: 2000 }), 2],
  ["without a limit there is none", callsWithin({}), 50],
  ["who needed twice as much is expected to again", callsWithin({ tokens: 5000 }, { read: 1600, written: 400 }), 2],
])("%s", (_, calls, most) => {
  expect(calls).toBe(most);
});

test("what is under way is set aside", () => {
  const spending = new Spending({ ...unlimited, tokens: 2500 });
  const [first, second] = [spending.reserve(expected), spending.reserve(expected)];
  expect(spending.reserve(expected)).toBe("--llm-tokens 2500");
  for (const [end, calls] of [
    [first, 1],
    [second, 3],
  ] as const)
    ended(end)({ read: 10, written: 5 }, calls);
  expect(spending.reserve(expected)).toBeTypeOf("function");
  expect([spending.calls, spending.read, spending.written]).toEqual([4, 20, 10]);
});

test("who finds too little left can wait for what is under way", async () => {
  const spending = new Spending({ ...unlimited, tokens: 1500 });
  expect(spending.hasPendingCall).toBe(false);
  const end = ended(spending.reserve(expected));
  expect([spending.hasPendingCall, spending.reserve(expected)]).toEqual([true, "--llm-tokens 1500"]);
  const waiting = spending.callEnded();
  end({ read: 100, written: 50 }, 1);
  await waiting;
  expect([spending.hasPendingCall, typeof spending.reserve(expected)]).toEqual([false, "function"]);
});

test("what it cost is known by the price, or not at all", () => {
  const [known, unknown] = [new Spending({ ...unlimited, price }), new Spending(unlimited)];
  for (const spending of [known, unknown]) ended(spending.reserve(expected))({ read: 1_000_000, written: 500_000 }, 1);
  expect(known.usd).toBeCloseTo(2);
  expect(unknown.usd).toBeUndefined();
});

test("a smaller call is expected to cost as much as the dearest so far", () => {
  const spending = new Spending({ ...unlimited, tokens: 1500 });
  ended(spending.reserve(expected))(expected, 1);
  expect(spending.reserve({ read: 80, written: 20 })).toBe("--llm-tokens 1500");
});

test("without a price it is said how dollars were counted", () => {
  expect(new Spending({ ...unlimited, usd: 0.01 }).reserve(expected)).toBe(
    "--llm-budget 0.01, counted at $15 and $75 for a million tokens: --llm-price was not given",
  );
  expect(new Spending({ ...unlimited, usd: 0.001, price }).reserve(expected)).toBe("--llm-budget 0.001");
});
