import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startServer } from "./api-server.ts";
import { nuthatch, tempFolder } from "./cli.ts";

/** Five megabytes of headings, which take hundreds to read. */
const LARGE = Array.from({ length: 160_000 }, (_, at) => `<h${1 + (at % 6)}>a b ${at}</h${1 + (at % 6)}><p>x</p>`).join("");

let hasLarge: () => void = () => undefined;
const sent = new Promise<void>((resolve) => {
  hasLarge = resolve;
});

const web = createServer(({ url }, response) => {
  response.setHeader("content-type", "text/html; charset=utf-8");
  if (url === "/large") response.end(LARGE, () => hasLarge());
  else if (url === "/small") response.end("<title>Small</title><p>A few words.");
  else {
    response.statusCode = 404;
    response.end();
  }
});
let origin: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => web.listen(0, "127.0.36.10", resolve));
  origin = `http://127.0.36.10:${(web.address() as AddressInfo).port}`;
});
afterAll(() => void web.close());

const small = { NODE_OPTIONS: "--max-old-space-size=80" };
/** On a busy machine the time may be up first. */
const TOO_MUCH = /reading took (more memory than a reader may have|longer than 30 s)/;

describe("a page that takes more memory to read than the program has ends no process", () => {
  test("nuthatch fetch", async () => {
    const ended = await nuthatch(["fetch", `${origin}/large`], { env: small });
    expect(ended).toMatchObject({ code: 3, stdout: "" });
    expect(ended.stderr).toMatch(TOO_MUCH);
    expect(ended.stderr).toContain("try: nuthatch fetch -f raw, which writes it as it came");
  });

  test("nuthatch enrich", async () => {
    const ended = await nuthatch(["enrich", `${origin}/large`, `${origin}/small`, "--json", "--delay", "0"], { env: small });
    expect(ended.code, ended.stderr).toBe(0);
    const { urls } = JSON.parse(ended.stdout) as { urls: { readonly url: string }[] };
    const of = (path: string) => urls.find(({ url }) => url === origin + path);
    expect(of("/large"), "read or not, it is told").toBeDefined();
    expect(of("/small")).toMatchObject({ ok: true, metadata: { title: { value: "Small" } } });
  });
});

test("a server answers others while it reads a page that takes long", async () => {
  using folder = tempFolder();
  const server = await startServer(["--port", "0", "--db", folder.file("site.db"), "--allow-private", "127.0.0.0/8"], {
    NUTHATCH_RATE_LIMIT: "none",
    ...small,
  });
  const order: string[] = [];
  const scrape = async (path: string) => {
    const answer = await server.ask("POST", "/scrape", { url: origin + path });
    order.push(path);
    return answer;
  };
  const large = scrape("/large");
  await sent;
  expect(await scrape("/small")).toMatchObject({ status: 200, body: { metadata: { title: { value: "Small" } } } });
  await large;
  expect(order).toEqual(["/small", "/large"]);
  await server.kill("SIGTERM");
});
