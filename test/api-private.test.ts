/** A URL that somebody sends to the server opens nothing that is private, however it is spelt. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openApp } from "../dist/src/engine/app.js";
import { type Server, serve } from "../dist/src/interfaces/rest/index.js";
import { tempFolder } from "./cli.ts";
import { type NameServer, startNameServer } from "./faults/name-server.ts";
import { type RunningSite, serveSite } from "./site/index.ts";

const folder = tempFolder();
let server: Server;
let names: NameServer;
let site: RunningSite;
let inside: RunningSite;

beforeAll(async () => {
  const db = folder.file("private.db");
  await (await openApp({ db })).close();
  names = await startNameServer("127.0.83.5", () => ["127.0.83.7"]);
  inside = await serveSite({ "/": "<title>Inside</title><p>Not for you." }, { address: "127.0.83.7" });
  site = await serveSite(
    {
      "/": `<title>Open</title><p>A page. <a href="${inside.origin}/">inside</a>`,
      "/away": { status: 302, headers: { location: `${inside.origin}/` } },
    },
    { address: "127.0.83.6" },
  );
  const flags = { resolver: names.place, allowPrivate: ["127.0.83.6"], timeout: "3s", retries: 0 };
  server = await serve({
    db,
    ...{ host: "127.0.83.4", port: 0, hasKeys: false, noAuth: false, names: [], origins: [], withDashboard: false },
    engine: { options: { file: undefined, flags, cwd: folder.path } },
    log: () => undefined,
  });
});
afterAll(async () => {
  await server.close();
  names.close();
  await site.close();
  await inside.close();
  folder[Symbol.dispose]();
});

async function post(path: string, body: unknown) {
  const answer = await fetch(`${server.url}/api/v1${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  // biome-ignore lint/suspicious/noExplicitAny: what a test expects of an answer is in its expectations
  return { status: answer.status, body: (await answer.json()) as any };
}

const spellings = [
  ...["http://127.0.0.1/", "https://127.0.0.1/", "http://127.0.0.1:8000/", "http://127.255.255.254/", "HTTP://127.0.0.1"],
  ...["http://user@127.0.0.1/", "http://example.com@127.0.0.1/", "http://127.0.0.1#@example.com/", "http:127.0.0.1", "http:/127.0.0.1/"],
  ...["http:\\\\127.0.0.1\\", "http://127.0.0.1\\@example.com/", " http://127.0.0.1/ ", "ht\ntp://127.0.0.1/", "http://127.0.0.1./"],
  ...["http://127.1/", "http://127.0.1/", "http://2130706433/", "http://0x7f000001/", "http://0x7f.0.0.1/", "http://0X7F.1/"],
  ...["http://0177.0.0.1/", "http://017700000001/", "http://0000177.0.0.01/", "http://0x7f.0x0.0x0.0x1/", "http://127.0.0.0x1/"],
  ...["http://%31%32%37.0.0.1/", "http://127%2e0%2e0%2e1/", "http://１２７.０.０.１/", "http://127。0。0。1/", "http://①②⑦.⓪.⓪.①/"],
  ...[
    "http://localhost/",
    "http://LOCALHOST:81/",
    "http://localhost./",
    "http://a.localhost/",
    "http://ｌｏｃａｌｈｏｓｔ/",
    "http://loc%61lhost/",
  ],
  ...["http://0/", "http://0.0.0.0/", "http://0.1.2.3/", "http://00/", "http://0x0/"],
  ...["http://10.0.0.1/", "http://10.1/", "http://172.16.0.1/", "http://172.31.255.254/", "http://192.168.1.1/", "http://192.168.257/"],
  ...[
    "http://169.254.169.254/latest/meta-data/",
    "http://2852039166/",
    "http://0xA9FEA9FE/",
    "http://169.254.43518/",
    "http://0251.0376.0251.0376/",
  ],
  ...[
    "http://100.64.0.1/",
    "http://100.100.100.200/",
    "http://192.0.0.192/",
    "http://168.63.129.16/",
    "http://198.18.0.1/",
    "http://224.0.0.1/",
  ],
  ...["http://240.0.0.1/", "http://255.255.255.255/", "http://4294967295/", "http://192.0.2.1/", "http://203.0.113.1/"],
  ...[
    "http://[::1]/",
    "http://[0:0:0:0:0:0:0:1]/",
    "http://[::]/",
    "http://[::ffff:127.0.0.1]/",
    "http://[::ffff:7f00:1]/",
    "http://[::127.0.0.1]/",
  ],
  ...[
    "http://[0:0:0:0:0:ffff:10.0.0.1]/",
    "http://[::ffff:0:10.0.0.1]/",
    "http://[64:ff9b::7f00:1]/",
    "http://[64:ff9b::169.254.169.254]/",
  ],
  ...["http://[64:ff9b:1::a00:1]/", "http://[2002:7f00:1::]/", "http://[2002:a9fe:a9fe::1]/", "http://[2001:0:808:808::f5ff:fffe]/"],
  ...[
    "http://[fc00::1]/",
    "http://[fd00:ec2::254]/",
    "http://[fe80::1]/",
    "http://[fec0::1]/",
    "http://[ff02::1]/",
    "http://[2001:db8::1]/",
  ],
];

/** Every route that takes a URL and may ask for it. */
const takers: readonly (readonly [path: string, body: (url: string) => object])[] = [
  ["/crawls", (url) => ({ url })],
  ["/crawls", (url) => ({ urls: ["https://elsewhere.test/", url] })],
  ["/crawls", (url) => ({ url: "https://elsewhere.test/", sitemap: url })],
  ["/crawls/preview", (url) => ({ url })],
  ["/scrape", (url) => ({ url })],
  ["/scrape/batch", (url) => ({ urls: ["https://elsewhere.test/", url] })],
  ["/map", (url) => ({ url })],
  ["/contexts", (url) => ({ url })],
  ["/enhancements", (url) => ({ urls: [url], force: true })],
];

describe.each(takers)("POST %s", (path, body) => {
  test(`refuses ${spellings.length} spellings of private addresses at once`, async () => {
    const answers = await Promise.all(spellings.map(async (url) => [url, (await post(path, body(url))).body.type] as const));
    // A page's URL with a user in it is refused as such, wherever it leads.
    const isRefused = (url: string, type: string) =>
      type === "urn:nuthatch:problem:private-network-blocked" ||
      (new URL(url).username !== "" && type === "urn:nuthatch:problem:invalid-url");
    expect(answers.filter(([url, type]) => !isRefused(url, type))).toEqual([]);
  });
});

test("a site on a private address can be listed, and is not crawled", async () => {
  const { body } = await post("/sites", { url: "http://127.0.83.7/" });
  expect((await post("/crawls", { siteId: body.id })).body.type).toBe("urn:nuthatch:problem:private-network-blocked");
});

test("a name that leads to a private address is refused when it is asked for", async () => {
  const { status, body } = await post("/scrape", { url: "http://rebound.test/" });
  expect([status, body.type]).toEqual([422, "urn:nuthatch:problem:private-network-blocked"]);
  const run = await post("/crawls", { url: "http://rebound.test/" });
  expect(run.status).toBe(202);
  await fetch(`${server.url}${run.body.links.events}`).then((events) => events.text());
  const decisions = await fetch(`${server.url}/api/v1/crawls/${run.body.id}/decisions`).then((answer) => answer.json());
  expect(decisions).toMatchObject({ data: [{ verdict: "skipped", reason: "private-network" }] });
});

test("what was opened by name does not open where it leads", async () => {
  expect((await post("/scrape", { url: `${site.origin}/` })).status).toBe(200);
  const away = await post("/scrape", { url: `${site.origin}/away` });
  expect([away.status, away.body.type]).toEqual([422, "urn:nuthatch:problem:private-network-blocked"]);
});

test("nobody inside was asked for anything", () => expect(inside.log).toEqual([]));
