import { describe, expect, test } from "vitest";
import { type PartSetup, Watchdog, type WatchedPart } from "./watchdog.ts";

/** A watchdog whose timer ticks on demand. */
function openDog(setup: Omit<PartSetup, "name">): {
  part: WatchedPart;
  look(times: number): Promise<void>;
  isLooking(): boolean;
  longest: Watchdog["longest"];
  close(): void;
} {
  let call: (() => void) | undefined;
  const every = (_: number, look: () => void) => {
    call = look;
    return () => {
      call = undefined;
    };
  };
  const dog = new Watchdog({ every });
  const look = async (times: number) => {
    for (let done = 0; done < times; done++) call?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return {
    part: dog.part({ name: "it", ...setup }),
    look,
    isLooking: () => call !== undefined,
    longest: () => dog.longest(),
    close: () => dog.close(),
  };
}

const late = () => "given up";

/** A promise that the test settles. */
function asked() {
  let answer: (text: string) => void = () => undefined;
  let refuse: (cause: Error) => void = () => undefined;
  const promise = new Promise<string>((resolve, reject) => {
    answer = resolve;
    refuse = reject;
  });
  return { promise, answer, refuse };
}

/** The current state of a promise. */
const stateOf = (promise: Promise<string>) => Promise.race([promise, Promise.resolve("pending")]);

describe("what is waited for", () => {
  test("is given up when its limit has passed, and not before", async () => {
    const dog = openDog({ limit: () => 3000, isQueue: false });
    const answer = dog.part.withTimeout(asked().promise, late);
    await dog.look(3);
    expect(await stateOf(answer)).toBe("pending");
    await dog.look(1);
    expect(await stateOf(answer)).toBe("given up");
    dog.close();
  });

  test("has its own time, whoever else is answered", async () => {
    const dog = openDog({ limit: () => 3000, isQueue: false });
    const silent = dog.part.withTimeout(asked().promise, late);
    await dog.look(2);
    const other = asked();
    const answered = dog.part.withTimeout(other.promise, late);
    await dog.look(2);
    expect([await stateOf(silent), await stateOf(answered)]).toEqual(["given up", "pending"]);
    other.answer("here");
    expect(await answered).toBe("here");
    dog.close();
  });

  test("in a queue, has time for as long as others before it are answered", async () => {
    const dog = openDog({ limit: () => 3000, isQueue: true });
    const last = dog.part.withTimeout(asked().promise, late);
    for (let round = 0; round < 5; round++) {
      const before = asked();
      const answered = dog.part.withTimeout(before.promise, late);
      await dog.look(2);
      before.answer("read");
      expect(await answered).toBe("read");
    }
    expect(await stateOf(last)).toBe("pending");
    await dog.look(4);
    expect(await stateOf(last)).toBe("given up");
    dog.close();
  });

  test("is ignored when it comes too late, as an answer and as an error", async () => {
    const dog = openDog({ limit: () => 1000, isQueue: false });
    const [one, other] = [asked(), asked()];
    const answers = [dog.part.withTimeout(one.promise, late), dog.part.withTimeout(other.promise, late)];
    await dog.look(2);
    one.answer("too late");
    other.refuse(new Error("too late"));
    expect(await Promise.all(answers)).toEqual(["given up", "given up"]);
    dog.close();
  });

  test("may have an error instead of an answer", async () => {
    const dog = openDog({ limit: () => 1000, isQueue: false });
    const answer = dog.part.withTimeout(asked().promise, () => {
      throw new Error("it does not answer");
    });
    const failed = expect(answer).rejects.toThrow("it does not answer");
    await dog.look(2);
    await failed;
    dog.close();
  });

  test("has more time where more is waited for at once", async () => {
    const dog = openDog({ limit: (open) => open * 2000, isQueue: false });
    const answers = [dog.part.withTimeout(asked().promise, late), dog.part.withTimeout(asked().promise, late)];
    await dog.look(4);
    expect(await stateOf(answers[0]!)).toBe("pending");
    await dog.look(1);
    expect(await stateOf(answers[0]!)).toBe("given up");
    dog.close();
  });
});

test("what is waited for longest can be told", async () => {
  const dog = openDog({ limit: () => 60_000, isQueue: true });
  expect(dog.longest()).toBeUndefined();
  const { promise, answer } = asked();
  const first = dog.part.withTimeout(promise, late);
  await dog.look(12);
  dog.part.withTimeout(asked().promise, late);
  await dog.look(3);
  expect(dog.longest()).toEqual({ name: "it", seconds: 15 });
  answer("here");
  await first;
  expect(dog.longest()).toEqual({ name: "it", seconds: 3 });
  dog.close();
});

test("nobody looks while nothing is waited for", async () => {
  const dog = openDog({ limit: () => 1000, isQueue: false });
  expect(dog.isLooking()).toBe(false);
  const { promise, answer } = asked();
  const answered = dog.part.withTimeout(promise, late);
  expect(dog.isLooking()).toBe(true);
  answer("here");
  await answered;
  await dog.look(1);
  expect(dog.isLooking()).toBe(false);
  dog.close();
});

test("where nothing is left in the process that could answer, it is given up at once", async () => {
  const dog = openDog({ limit: () => Number.POSITIVE_INFINITY, isQueue: true });
  const answer = dog.part.withTimeout(asked().promise, late);
  process.emit("beforeExit", 0);
  expect(await stateOf(answer)).toBe("given up");
  dog.close();
});
