import { EventEmitter } from "node:events";
import type { Browser, BrowserContext } from "playwright-core";
import { expect, test } from "vitest";
import type { Tab } from "./tab.ts";
import { TabPool } from "./tab-pool.ts";

const never = new AbortController().signal;
const idle: Tab = {
  ...{ navigate: async () => undefined, clear: async () => undefined, close: async () => undefined },
  ...{ run: async () => "", takePicture: () => Promise.reject(new Error("none")) },
};

/** A pool of fake browsers that record only whether they run, and how many tabs were being opened at the same time. */
function openPool(size: number) {
  const launched: EventEmitter[] = [];
  const opening = { now: 0, most: 0 };
  const open = async () => {
    opening.now += 1;
    opening.most = Math.max(opening.most, opening.now);
    await new Promise((resolve) => setImmediate(resolve));
    opening.now -= 1;
  };
  const pool = new TabPool({
    size,
    async launch() {
      let isConnected = true;
      const browser = Object.assign(new EventEmitter(), { isConnected: () => isConnected });
      browser.once("disconnected", () => {
        isConnected = false;
      });
      launched.push(browser);
      const close = async () => undefined;
      return { browser: browser as unknown as Browser, version: "1", isSandboxed: true, mark: "nobody-bears-this", close };
    },
    async openContext() {
      await open();
      return {} as BrowserContext;
    },
    async openTab() {
      await open();
      return { tab: idle, crashed: new Promise(() => undefined) };
    },
  });
  return { pool, launched, opening };
}

const takeAtOnce = (pool: TabPool, seats: number, hosts = 1) =>
  Promise.all(Array.from({ length: seats }, (_, at) => pool.leaseTab(`${at % hosts}.test`, never)));

test("pages that come at once share one browser, and one more when it has died", async () => {
  const { pool, launched } = openPool(4);
  const seats = await takeAtOnce(pool, 4);
  expect(launched).toHaveLength(1);
  launched[0]!.emit("disconnected");
  await Promise.all(seats.map((seat) => seat!.release(false)));
  await takeAtOnce(pool, 4);
  expect(launched).toHaveLength(2);
  await pool.close();
});

test("a browser is replaced when it has shown so many pages", async () => {
  const { pool, launched } = openPool(1);
  for (let page = 0; page < 501; page += 1) await (await pool.leaseTab("a.test", never))!.release(true);
  expect(launched).toHaveLength(2);
  await pool.close();
});

test("a browser opens its tabs one after the other, of whichever host", async () => {
  const { pool, opening } = openPool(4);
  await takeAtOnce(pool, 4, 2);
  expect(opening.most).toBe(1);
  await pool.close();
});

test("no more pages are out than there are seats", async () => {
  const { pool } = openPool(2);
  const [first] = await takeAtOnce(pool, 2);
  let isOut = false;
  const third = pool.leaseTab("a.test", never).then(() => {
    isOut = true;
  });
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(isOut).toBe(false);
  await first!.release(true);
  await third;
  await pool.close();
});
