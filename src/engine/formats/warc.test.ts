import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { WARCParser } from "warcio";
import { cdxjLine, surt } from "./cdxj.ts";
import { contentTypeIn, headAsStored, headOf } from "./http-head.ts";
import { SortedLines } from "./sorted-lines.ts";
import { type Capture, warcInfo, warcRecords } from "./warc.ts";
import { archiveFiles, WarcFiles } from "./warc-files.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "nuthatch-warc-"));
});
afterEach(() => rmSync(folder, { recursive: true }));
const file = (name: string) => join(folder, name);

const aCapture = (more: Partial<Capture> = {}): Capture => ({
  ...{ url: "http://a.test/", at: "2026-01-02T03:04:05.678Z", status: 200, body: Buffer.from("hi") },
  response: "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 2\r\n",
  ...more,
});
const textOf = (capture: Capture, at = 0) => gunzipSync(warcRecords(capture)[at]!.bytes).toString("latin1");

describe("heads as they are stored", () => {
  test.each([
    ["one that is true stays as it came", "OK\r\ncontent-LENGTH: 2\r\nX: y\r\n", 2, "OK\r\ncontent-LENGTH: 2\r\nX: y\r\n"],
    ["one that says no length too", "OK\r\nX: y\r\n", 2, "OK\r\nX: y\r\n"],
    [
      "codings have another name",
      "OK\r\nContent-Encoding: br\r\n",
      2,
      "OK\r\nX-Archive-Orig-Content-Encoding: br\r\nContent-Length: 2\r\n",
    ],
    [
      "and so has the length they gave",
      "OK\r\ncontent-encoding: br\r\nContent-Length: 9\r\n",
      2,
      "OK\r\nX-Archive-Orig-content-encoding: br\r\nX-Archive-Orig-Content-Length: 9\r\nContent-Length: 2\r\n",
    ],
    [
      "a length that is not the stored one",
      "OK\r\nContent-Length: 9\r\n",
      0,
      "OK\r\nX-Archive-Orig-Content-Length: 9\r\nContent-Length: 0\r\n",
    ],
    ["chunks", "OK\r\nTransfer-Encoding: chunked\r\n", 2, "OK\r\nX-Archive-Orig-Transfer-Encoding: chunked\r\nContent-Length: 2\r\n"],
    ["without a body nothing is said of it", "OK\r\nContent-Length: 9\r\n", undefined, "OK\r\nContent-Length: 9\r\n"],
  ] as [string, string, number | undefined, string][])("%s", (_, head, length, expected) => {
    expect(headAsStored(head, length)).toBe(expected);
  });

  test("one that is made has a line for what is known, and no more", () => {
    expect(
      headOf(200, "OK", [
        ["A", "1\r\nB: 2"],
        ["C", undefined],
      ]),
    ).toBe("HTTP/1.1 200 OK\r\nA: 1 B: 2\r\n");
    expect(headOf(299, "", [])).toBe("HTTP/1.1 299\r\n");
  });

  test.each([
    ["A: 1\r\ncontent-type: Text/HTML; charset=x\r\n", "Text/HTML"],
    ["content-type:\r\n", undefined],
    ["A: 1\r\n", undefined],
  ])("the type in %j", (lines, type) => expect(contentTypeIn(`HTTP/1.1 200 OK\r\n${lines}`)).toBe(type));
});

describe("records", () => {
  test.each([
    ["a body that was cut says why", { truncated: "length" }, /^WARC-Truncated: length\r$/m, /Refers-To/],
    ["a body that was not kept has no digest", { body: undefined, truncated: "time" }, /^WARC-Truncated: time\r$/m, /Payload-Digest/],
    [
      "an answer without a body has that of nothing",
      { body: undefined },
      /Payload-Digest: sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ\r/,
      /Truncated/,
    ],
    [
      "a 304 whose body nobody knows",
      { body: undefined, status: 304, revisit: { because: "not-modified", of: undefined } },
      /server-not-modified/,
      /Payload-Digest|Refers-To/,
    ],
    [
      "nothing remote begins a line",
      { url: "http://a.test/\r\nWARC-Type: warcinfo" },
      /URI: http:\/\/a\.test\/ WARC-Type/,
      /^WARC-Type: warcinfo/m,
    ],
  ] as [string, Partial<Capture>, RegExp, RegExp][])("%s", (_, more, has, hasNot) => {
    expect(textOf(aCapture(more))).toMatch(has);
    expect(textOf(aCapture(more))).not.toMatch(hasNot);
  });

  test("names are made of what a record is: the same again, and others for others", () => {
    const idOf = (capture: Capture, at = 0) => /Record-ID: (\S+)/.exec(textOf(capture, at))![1]!;
    expect(idOf(aCapture())).toBe(idOf(aCapture()));
    expect(idOf(aCapture())).toMatch(/^<urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}>$/);
    const asked = aCapture({ request: "GET / HTTP/1.1\r\n" });
    const ids = [
      idOf(aCapture({ url: "http://a.test/2" })),
      idOf(aCapture({ at: "2026-01-02T03:04:05.679Z" })),
      idOf(asked, 0),
      idOf(asked, 1),
    ];
    expect(new Set(ids).size).toBe(4);
    expect(textOf(asked)).toContain(`WARC-Concurrent-To: ${idOf(asked, 1)}`);
  });

  test("the first says who made the file, and how", () => {
    const text = gunzipSync(warcInfo({ at: "2026-01-02T03:04:05Z", software: "nuthatch/1", filename: "a.warc.gz" }).bytes).toString();
    for (const line of ["WARC-Filename: a.warc.gz", "software: nuthatch/1", "format: WARC File Format 1.1"])
      expect(text).toContain(`${line}\r\n`);
  });
});

describe("the index", () => {
  test.each([
    ["http://www.Example.org/Docs?b=2&a=1", "org,example)/docs?a=1&b=2"],
    ["https://example.org:8443/", "org,example:8443)/"],
    ["http://127.0.0.1:80/x", "127.0.0.1)/x"],
    ["http://[::1]:8080/", "[::1]:8080)/"],
    ["http://www2.a.test/?", "test,a)/"],
  ])("%s stands under %s", (url, key) => expect(surt(url)).toBe(key));

  test("a line has the facts in the order and the form of pywb's", () => {
    const { entry } = warcRecords(aCapture())[0]!;
    expect(cdxjLine(entry!, { offset: 5, length: 7, filename: "a.warc.gz" })).toBe(
      'test,a)/ 20260102030405 {"url":"http://a.test/","mime":"text/html","status":"200","digest":"YIVV7ELYGQTASQUNN5I3FRNPJQF542SC","length":"7","offset":"5","filename":"a.warc.gz"}',
    );
  });

  test.each([
    ["that fit into memory", 1000, 1_000_000],
    ["that do not", 1000, 500],
    ["of which there are none", 0, 500],
  ])("lines %s are sorted, and nothing else is left behind", (_, count, room) => {
    const lines = Array.from({ length: count }, (__, index) => `${(index * 7919) % 1009} line`);
    const sorted = new SortedLines(file("a.cdxj"), room);
    for (const line of lines) sorted.add(line);
    sorted.close();
    expect(readFileSync(file("a.cdxj"), "utf8")).toBe(
      [...lines]
        .sort()
        .map((line) => `${line}\n`)
        .join(""),
    );
    expect(readdirSync(folder)).toEqual(["a.cdxj"]);
  });
});

describe("files", () => {
  const setup = { software: "nuthatch/1", now: "2026-01-02T03:04:05Z", largest: 2000 };

  function write(count: number) {
    const files = new WarcFiles(file("a.warc.gz"), setup);
    for (let index = 0; index < count; index += 1) files.add(aCapture({ url: `http://a.test/${index}`, request: "GET / HTTP/1.1\r\n" }));
    files.close();
    return files.parts;
  }

  test("a large archive is several, each whole, with one index; replaced by a smaller one nothing is left of it", async () => {
    const parts = write(10);
    expect(parts).toBeGreaterThan(2);
    const names = ["a.warc.gz", ...Array.from({ length: parts - 1 }, (_, index) => `a-${index + 2}.warc.gz`)];
    expect(archiveFiles(file("a.warc.gz")).sort()).toEqual([file("a.cdxj"), ...names.map(file)].sort());
    const types: string[][] = [];
    for (const name of names) {
      const records = [];
      for await (const record of new WARCParser([readFileSync(file(name))])) {
        await record.skipFully();
        records.push(record.warcType!);
      }
      types.push(records);
      expect(readFileSync(file(name)).length).toBeLessThan(2000);
    }
    for (const [first, ...rest] of types) {
      expect(first).toBe("warcinfo");
      expect(rest).toEqual(rest.map((_, index) => (index % 2 === 0 ? "request" : "response")));
    }
    expect(types.flat().filter((type) => type === "response")).toHaveLength(10);
    const lines = readFileSync(file("a.cdxj"), "utf8").trim().split("\n");
    expect(new Set(lines.map((line) => /"filename":"([^"]+)"/.exec(line)![1]))).toEqual(new Set(names));
    expect(write(1)).toBe(1);
    expect(readdirSync(folder).sort()).toEqual(["a.cdxj", "a.warc.gz"]);
  });
});
