import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CDXIndexer, WARCParser } from "warcio";
import { tempFolder } from "./cli.ts";
import { nuthatchHere } from "./in-process.ts";
import { type RunningSite, serveSite } from "./site/index.ts";

const folder = tempFolder();
const run = (...args: string[]) => nuthatchHere([...args, "-q"], { cwd: folder.path });
const fast = ["--rate-limit", "none", "--retries", "0", "--no-enhance"];

const home = ["a", "etag", "gz", "changes", "old", "missing"].map((path) => `<a href="/${path}">${path}</a>`).join(" ");
const pages = {
  "/robots.txt": { body: "User-agent: *\nDisallow: /closed\n", headers: { "Content-Type": "text/plain" } },
  "/": `<title>Home</title>${home}`,
  "/a": { body: "<title>A</title><p>Always the same.</p>", headers: { "X-Odd-CASE": "kept" } },
  "/etag": { body: "<title>E</title><p>Known by its tag.</p>", etag: true },
  "/gz": { body: gzipSync("<title>Z</title><p>Small on the wire.</p>"), headers: { "Content-Encoding": "gzip" } },
  "/changes": (hit: number) => `<title>C</title><p>Told ${["never", "once", "twice", "often"][hit]}.</p>`,
  "/old": { status: 301, headers: { Location: "/a" }, body: "<p>It went away.</p>" },
};

let [kept, plain]: RunningSite[] = [];

beforeAll(async () => {
  kept = await serveSite(pages, { address: "127.0.72.1" });
  plain = await serveSite({ "/": `<title>Plain</title><a href="/etag">e</a>`, "/etag": pages["/etag"] }, { address: "127.0.72.2" });
  for (const site of [kept, kept]) expect((await run("crawl", `${site.origin}/`, ...fast, "--save", "warc")).code).toBe(0);
  expect((await run("crawl", `${plain.origin}/`, ...fast)).code).toBe(0);
  await kept.close();
  await plain.close();
});
afterAll(() => folder[Symbol.dispose]());

interface Line {
  readonly url: string;
  readonly mime?: string;
  readonly status: string;
  readonly digest: string;
  readonly offset: string;
  readonly length: string;
  readonly filename: string;
}

const file = (name: string) => readFileSync(folder.file(name));
const indexLines = (name: string) => file(name).toString().split("\n").filter(Boolean);
const indexed = (name: string): Line[] => indexLines(name).map((line) => JSON.parse(line.slice(line.indexOf("{"))) as Line);

async function records(name: string, parseHttp = true) {
  const found = [];
  for await (const record of new WARCParser([file(name)], { keepHeadersCase: true, parseHttp })) {
    const bytes = await record.readFully(false);
    found.push({ record, bytes, type: record.warcType, path: record.warcTargetURI && new URL(record.warcTargetURI).pathname });
  }
  return found;
}

async function exported(name: string, ...args: string[]) {
  expect(await run("export", "warc", ...args, "-o", folder.file(name))).toMatchObject({ code: 0, stdout: "" });
  return records(name);
}

/** As the first five bits are A, the next B, and so on. */
function hexOf(digest: string): string {
  const bits = [...digest.replace("sha1:", "")].map((letter) =>
    "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(letter).toString(2).padStart(5, "0"),
  );
  return (bits.join("").match(/.{4}/g) ?? []).map((four) => Number.parseInt(four, 2).toString(16)).join("");
}
const sha1 = (bytes: Uint8Array) => createHash("sha1").update(bytes).digest("hex");

describe("an archive of runs that kept what went over the wire", () => {
  beforeAll(async () => {
    await exported("all.warc.gz", kept!.host);
  });

  test("has every request with its answer, errors and redirects too, and says again only what is new", async () => {
    const all = await records("all.warc.gz");
    const of = (type: string) => all.filter((each) => each.type === type).map(({ path }) => path);
    expect(all[0]).toMatchObject({ type: "warcinfo" });
    expect(of("request")).toEqual(all.filter(({ type }) => type === "response" || type === "revisit").map(({ path }) => path));
    expect(of("request").length).toBe(kept!.log.length);
    const changing = kept!.log.filter(({ path }) => path === "/changes").map(({ path }) => path);
    const once = ["/", "/a", "/etag", "/gz", "/robots.txt"];
    expect(of("response").sort()).toEqual([...once, ...changing, "/missing", "/missing", "/old", "/old"].sort());
    expect(of("revisit").sort()).toEqual(["/", "/a", "/etag", "/gz"]);
  });

  test("blocks and payloads have the digests they say", async () => {
    for (const { record, bytes } of await records("all.warc.gz", false)) {
      expect([record.warcTargetURI, hexOf(record.warcBlockDigest!)]).toEqual([record.warcTargetURI, sha1(bytes)]);
      expect(record.warcContentLength).toBe(bytes.length);
    }
    const responses = (await records("all.warc.gz")).filter(({ type }) => type === "response");
    for (const { record, bytes, path } of responses) expect([path, hexOf(record.warcPayloadDigest!)]).toEqual([path, sha1(bytes)]);
    const page = responses.find(({ path }) => path === "/gz")!;
    expect(Buffer.from(page.bytes).toString()).toContain("Small on the wire.");
    expect(Object.fromEntries(page.record.httpHeaders!.headers)).toMatchObject({
      "X-Archive-Orig-Content-Encoding": "gzip",
      "Content-Length": String(page.bytes.length),
    });
  });

  test("heads are as they were: names in their letters, the words of the status, what we sent", async () => {
    const all = await records("all.warc.gz");
    const find = (type: string, path: string) => all.find((each) => each.type === type && each.path === path)!.record;
    expect(find("response", "/a").httpHeaders!.headers.get("X-Odd-CASE")).toBe("kept");
    expect(find("response", "/missing").httpHeaders!.statusline).toBe("HTTP/1.1 404 Not Found");
    expect(find("response", "/old").httpHeaders!.headers.get("Location")).toBe("/a");
    const asked = find("request", "/etag");
    expect(asked.httpHeaders!.statusline).toBe("GET /etag HTTP/1.1");
    const sent = kept!.log.find(({ path }) => path === "/etag")!.headers;
    expect(Object.fromEntries(asked.httpHeaders!.headers)).toEqual(sent);
    expect(asked.warcHeader("WARC-IP-Address")).toBe("127.0.72.1");
  });

  test("revisits name the record they mean", async () => {
    const all = await records("all.warc.gz");
    for (const { record, path } of all.filter(({ type }) => type === "revisit")) {
      const first = all.find(({ record: other }) => other.warcHeader("WARC-Record-ID") === record.warcHeader("WARC-Refers-To"))!;
      expect([first.type, first.path]).toEqual(["response", path]);
      expect(record.warcRefersToDate).toBe(first.record.warcDate);
      expect(record.warcPayloadDigest).toBe(first.record.warcPayloadDigest);
      const isTold = path === "/etag";
      expect(record.warcHeader("WARC-Profile")).toMatch(isTold ? /server-not-modified$/ : /identical-payload-digest$/);
      expect(record.httpHeaders!.statusCode).toBe(isTold ? 304 : 200);
    }
  });

  test("the index is sorted, agrees with warcio's, and each line points at a gzip member", async () => {
    const lines = indexLines("all.cdxj");
    expect(lines).toEqual([...lines].sort());
    const theirs: unknown[] = [];
    for await (const { urlkey, timestamp, ...facts } of new CDXIndexer({ format: "cdxj" }).iterIndex([
      { filename: "all.warc.gz", reader: [file("all.warc.gz")] as unknown as AsyncIterable<Uint8Array> },
    ]))
      theirs.push({ ...facts, timestamp });
    const ours = indexed("all.cdxj").map((line, index) => ({
      ...line,
      ...{ status: Number(line.status), offset: Number(line.offset), length: Number(line.length) },
      timestamp: lines[index]!.split(" ")[1],
    }));
    const byOffset = (a: unknown, b: unknown) => (a as { offset: number }).offset - (b as { offset: number }).offset;
    expect(ours.sort(byOffset)).toEqual(theirs.sort(byOffset));
    for (const { offset, length, url } of indexed("all.cdxj")) {
      const text = gunzipSync(file("all.warc.gz").subarray(Number(offset), Number(offset) + Number(length))).toString("latin1");
      expect(text.startsWith("WARC/1.1\r\n")).toBe(true);
      expect(text).toContain(`WARC-Target-URI: ${url}\r\n`);
    }
  });

  test.skipIf(spawnSync("python3", ["--version"]).status !== 0)("Python reads it member by member, with the same digests", () => {
    const { stdout, stderr } = spawnSync("python3", ["-c", PYTHON, folder.file("all.warc.gz")], { encoding: "utf8" });
    expect(stderr).toBe("");
    expect(JSON.parse(stdout)).toEqual({ members: 1 + 2 * kept!.log.length, wrong: 0 });
  });

  test("one run alone is whole: what a 304 of it vouches for is taken along", async () => {
    const second = await exported("second.warc.gz", "--run", "2");
    const answers = second.filter(({ type }) => type === "response" || type === "revisit");
    const etag = answers.filter(({ path }) => path === "/etag").map(({ type }) => type);
    expect(etag).toEqual(["response", "revisit"]);
    expect(answers.filter(({ path }) => path === "/a").map(({ type }) => type)).toEqual(["response"]);
  });

  test("the same export is the same archive, but for the day it was made", async () => {
    await exported("again.warc.gz", kept!.host);
    const ids = async (name: string) => (await records(name)).slice(1).map(({ record }) => record.warcHeader("WARC-Record-ID"));
    expect(await ids("again.warc.gz")).toEqual(await ids("all.warc.gz"));
    expect(indexed("again.cdxj").map(({ digest }) => digest)).toEqual(indexed("all.cdxj").map(({ digest }) => digest));
  });
});

test("without --save warc the heads are made of what is stored, and that is said", async () => {
  const told = await nuthatchHere(["export", "warc", plain!.host, "-o", folder.file("plain.warc.gz"), "--json"], { cwd: folder.path });
  expect(JSON.parse(told.stdout)).toMatchObject({ schemaVersion: 1, saved: 2, left: 0 });
  expect(told.stdout).toContain("crawl with --save warc");
  const all = await records("plain.warc.gz");
  expect(all.map(({ type, path }) => [type, path])).toEqual([
    ["warcinfo", undefined],
    ["response", "/"],
    ["response", "/etag"],
  ]);
  expect(Buffer.from(all[0]!.bytes).toString()).toContain("One without has a head made of what was stored");
  const { headers, statusline } = all[2]!.record.httpHeaders!;
  expect(statusline).toBe("HTTP/1.1 200 OK");
  expect([...headers.keys()].sort()).toEqual(["Content-Type", "Date", "ETag"]);
  expect(Buffer.from(all[2]!.bytes).toString()).toBe(pages["/etag"].body);
  const { stdout } = await run("sites", "--json");
  expect(stdout).toContain(plain!.origin);
});

test.each([
  ["an archive that is there", ["-o", "plain.warc.gz"], /plain\.(cdxj|warc\.gz) exists already\n {2}try: -O plain\.warc\.gz replaces/],
  ["a name that says something else", ["-o", "x.warc"], /does not end in \.warc\.gz/],
  ["a folder that is not there", ["-o", "none/x.warc.gz"], /cannot be written/],
  ["no place", [], /export warc needs a file/],
  ["links as an archive", ["-o", "x.warc.gz", "--what", "links"], /cannot export links as warc/],
] as [string, string[], RegExp][])("%s is refused, and nothing is changed", async (_, args, message) => {
  const before = readdirSync(folder.path);
  const { code, stdout, stderr } = await run("export", "warc", ...args);
  expect([code, stdout, stderr]).toEqual([2, "", expect.stringMatching(message)]);
  expect(readdirSync(folder.path)).toEqual(before);
});

test("records are packed where the name of the file says so", async () => {
  expect((await run("export", "jsonl", "-o", folder.file("pages.jsonl.gz"))).code).toBe(0);
  const { stdout } = await run("export", "jsonl");
  expect(gunzipSync(file("pages.jsonl.gz")).toString()).toBe(stdout);
});

test("what went over the wire goes with its run, bodies that others need stay, and the file is sound", async () => {
  expect((await run("runs", "rm", "1", "--yes")).code).toBe(0);
  expect((await run("db", "check")).code).toBe(0);
  const rest = await exported("rest.warc.gz", kept!.host);
  const etag = rest.filter(({ path }) => path === "/etag");
  // The answer that brought the body is gone, but the body is there, with all that is known of it.
  expect(etag.map(({ type }) => type).sort()).toEqual(["request", "response", "revisit"]);
  expect((await run("sites", "rm", kept!.host, "--yes")).code).toBe(0);
  const { stdout } = await run("db", "check", "--json");
  expect(JSON.parse(stdout)).toMatchObject({ isSound: true, problems: [] });
  expect(existsSync(folder.file("nuthatch.db"))).toBe(true);
});

const PYTHON = `
import base64, gzip, hashlib, json, sys, zlib
data, members, wrong = open(sys.argv[1], "rb").read(), 0, 0
sha1 = lambda b: "sha1:" + base64.b32encode(hashlib.sha1(b).digest()).decode()
while data:
    inflate = zlib.decompressobj(wbits=31)
    record = inflate.decompress(data)
    member, data = data[:len(data) - len(inflate.unused_data)], inflate.unused_data
    if gzip.decompress(member) != record: wrong += 1
    head, block = record.split(b"\\r\\n\\r\\n", 1)
    fields = dict(line.split(": ", 1) for line in head.decode().split("\\r\\n")[1:])
    body = block[:int(fields["Content-Length"])]
    if block[len(body):] != b"\\r\\n\\r\\n" or fields["WARC-Block-Digest"] != sha1(body): wrong += 1
    if fields["WARC-Type"] == "response" and fields["WARC-Payload-Digest"] != sha1(body.split(b"\\r\\n\\r\\n", 1)[1]): wrong += 1
    members += 1
print(json.dumps({"members": members, "wrong": wrong}))
`;
