/** Three thousand clients that ask for all events since the beginning and read none of them: the server keeps its limit, and answers others. */
import { readdirSync, readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { MAX_CLIENTS } from "../dist/src/interfaces/rest/engine/stream-slots.js";
import { startServer } from "./api-server.ts";
import { tempFolder } from "./cli.ts";
import { crawl } from "./near-library.ts";
import { serveSite } from "./site/index.ts";

const CLIENTS = 3000;
/** Megabytes of the server's own process, at most. */
const MOST_MEMORY = 600;
/** Connections are opened in groups of this size: the system holds only so many that were not accepted yet. */
const AT_ONCE = 250;

/** The status of the answer; the rest is never read. */
const listen = (port: number, sockets: Socket[]): Promise<number> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1" });
    sockets.push(socket);
    socket.once("error", reject);
    socket.once("close", () => reject(new Error("closed without an answer")));
    socket.write("GET /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1\r\nLast-Event-ID: 1-0\r\n\r\n");
    socket.once("data", (bytes) => {
      socket.pause();
      resolve(Number(bytes.toString("latin1").slice(9, 12)));
    });
  });

test("clients beyond the limit are refused, others are answered, and those who leave give everything back", async () => {
  using folder = tempFolder();
  const links = Array.from({ length: 60 }, (_, at) => `<a href="/p${at}">p</a>`).join("");
  const pages = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`/p${at}`, `<title>${at}</title>`]));
  const site = await serveSite({ "/": `<title>Home</title>${links}`, ...pages }, { address: "127.0.84.7" });
  const db = folder.file("a.db");
  await crawl(`${site.origin}/`, { db, rateLimit: "none" }).result;
  const server = await startServer(["--db", db, "--port", "0", "--no-auth"]);
  const port = Number(new URL(server.url).port);
  const open = () => readdirSync(`/proc/${server.child.pid}/fd`).length;
  const before = open();
  const sockets: Socket[] = [];
  const statuses: number[] = [];
  for (let at = 0; at < CLIENTS; at += AT_ONCE)
    statuses.push(...(await Promise.all(Array.from({ length: AT_ONCE }, () => listen(port, sockets)))));
  const count = (status: number) => statuses.filter((one) => one === status).length;
  expect([count(200), count(503)]).toEqual([MAX_CLIENTS, CLIENTS - MAX_CLIENTS]);
  const asked = await Promise.all([server.ask("GET", "/crawls/1"), server.ask("GET", "/pages?limit=5")]);
  expect(asked.map(({ status }) => status)).toEqual([200, 200]);
  const peak = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${server.child.pid}/status`, "utf8"))![1];
  expect(Number(peak) / 1024).toBeLessThan(MOST_MEMORY);
  for (const socket of sockets) socket.removeAllListeners("close").destroy();
  for (const end = Date.now() + 30_000; open() > before + 20 && Date.now() < end; ) await sleep(50);
  expect(open()).toBeLessThanOrEqual(before + 20);
  expect(await listen(port, sockets)).toBe(200);
  for (const socket of sockets) socket.removeAllListeners("close").destroy();
  expect(server.said()).not.toMatch(/Warning|error/i);
  await server.kill("SIGTERM");
  await site.close();
}, 120_000);
