/** A name that was public when robots.txt was asked, and leads to a private address when the browser asks for the page. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { nuthatch, tempFolder } from "../cli.ts";
import { query } from "../faults/ledger.ts";
import { type NameServer, startNameServer } from "../faults/name-server.ts";
import { bin, preload } from "../origins/matrix.ts";
import { lackOf } from "./show-pages.ts";

/** Counts as public, by what is preloaded. */
const WEB = "127.9.1.1";
const CANARY = "127.9.0.9";

const lack = await lackOf("chromium");
describe.skipIf(lack !== "")(`names that change their address${lack}`, () => {
  const asked: string[] = [];
  const sung: string[] = [];
  let port: number;
  let names: NameServer;
  /** Names that lead to the canary by now. */
  const changed = new Set<string>();
  const web = createServer(({ url = "", headers }, response) => {
    const name = (headers.host ?? "").replace(/:\d+$/, "");
    asked.push(name + url);
    if (url === "/robots.txt") {
      if (name.startsWith("changes")) changed.add(name);
      response.writeHead(404).end();
    } else if (url === "/script.js") response.end();
    else {
      response.setHeader("content-type", "text/html");
      response.end(`<title>Public</title><p>${"Words of a page. ".repeat(20)}<script src="/script.js"></script>`, () => {
        if (name.startsWith("page")) changed.add(name);
      });
    }
  });
  const canary = createServer((_, response) => response.end("<title>Inside</title>")).on("connection", () => sung.push("connected"));
  const folder = tempFolder();
  beforeAll(async () => {
    await new Promise<void>((resolve) => web.listen(0, WEB, resolve));
    ({ port } = web.address() as AddressInfo);
    await new Promise<void>((resolve) => canary.listen(port, CANARY, resolve));
    names = await startNameServer("127.0.0.1", (name) => [changed.has(name) ? CANARY : WEB]);
  });
  afterAll(async () => {
    names.close();
    for (const server of [web, canary]) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
    folder[Symbol.dispose]();
  });

  async function crawl(name: string): Promise<unknown> {
    const db = folder.file(`${name}.db`);
    const env = { NODE_OPTIONS: `--import=${preload}`, NUTHATCH_RESOLVER: names.place, NUTHATCH_RATE_LIMIT: "none" };
    const args = ["crawl", `http://${name}.test:${port}/`, "--render", "always", "--db", db, "--sitemap", "off", "--max-pages", "1", "-q"];
    const { stderr } = await nuthatch(args, { bin, env });
    const [row] = query(db, "SELECT reason FROM decision WHERE kind = 'page'");
    return row?.reason ?? stderr;
  }

  test("stay closed to the browser of a crawl that a person typed", async () => {
    expect(await crawl("stays")).toBe("ok");
    // What was looked up for robots.txt holds for the browser, too; what is looked up anew is in one-judge.test.ts.
    expect(await crawl("changes")).toBe("ok");
    expect(await crawl("page-changes")).toBe("ok");
    expect(asked).toContain("stays.test/script.js");
    expect(asked).toContain("changes.test/");
    expect(sung).toEqual([]);
  });
});
