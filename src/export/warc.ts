/** Web archives (WARC 1.1, ISO 28500:2017): every record is a gzip member of its own, so that a reader can begin at any of them. */
import { createHash, randomUUID } from "node:crypto";
import { gzipSync } from "node:zlib";

export interface WarcVisit {
  readonly url: string;
  /** ISO 8601. */
  readonly at: string;
  readonly status: number;
  readonly request: HttpHead | undefined;
  readonly response: HttpHead;
  readonly body: Uint8Array;
  /** The visit whose answer had the same body: only what differs is written. */
  readonly same?: { readonly url: string; readonly at: string } | undefined;
}

/** First line and headers, as they went over the wire. */
export interface HttpHead {
  readonly line: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
}

export interface WarcRecord {
  readonly bytes: Uint8Array;
  readonly type: "warcinfo" | "request" | "response" | "revisit";
  readonly payloadDigest: string | undefined;
}

const NOT_MODIFIED = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest";

export function warcInfo(at: string, software: string, filename: string): WarcRecord {
  const block = Buffer.from(
    `software: ${software}\r\nformat: WARC File Format 1.1\r\nconformsTo: http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/\r\n`,
  );
  const fields = [
    ["WARC-Filename", filename],
    ["Content-Type", "application/warc-fields"],
  ] as const;
  return { type: "warcinfo", payloadDigest: undefined, bytes: record("warcinfo", newId(), at, fields, block) };
}

/** The answer, and the question if it is known: one refers to the other. */
export function warcVisit({ url, at, request, response, body, same }: WarcVisit): WarcRecord[] {
  const payloadDigest = digest(body);
  const id = newId();
  const target = [
    ["WARC-Target-URI", url],
    ["WARC-Payload-Digest", payloadDigest],
  ] as const;
  const revisit =
    same &&
    ([
      ["WARC-Profile", NOT_MODIFIED],
      ["WARC-Refers-To-Target-URI", same.url],
      ["WARC-Refers-To-Date", same.at],
    ] as const);
  const type = same ? "revisit" : "response";
  const head = Buffer.from(headText(same ? response : asStored(response, body.length)), "latin1");
  const block = same ? head : Buffer.concat([head, body]);
  const http = ["Content-Type", "application/http; msgtype=response"] as const;
  const answer: WarcRecord = { type, payloadDigest, bytes: record(type, id, at, [...target, ...(revisit ?? []), http], block) };
  if (!request) return [answer];
  const fields = [
    ["WARC-Target-URI", url],
    ["WARC-Concurrent-To", id],
    ["Content-Type", "application/http; msgtype=request"],
  ] as const;
  return [
    { type: "request", payloadDigest: undefined, bytes: record("request", newId(), at, fields, Buffer.from(headText(request), "latin1")) },
    answer,
  ];
}

/** Bodies are stored decoded, so the headers that spoke of their coding would be untrue: they are kept under another name. */
function asStored({ line, headers }: HttpHead, length: number): HttpHead {
  const kept = headers.filter(([name]) => name.toLowerCase() !== "content-length");
  const renamed = kept.map(
    ([name, value]) => [/^(?:content|transfer)-encoding$/i.test(name) ? `X-Archive-Orig-${name}` : name, value] as const,
  );
  return { line, headers: [...renamed, ["Content-Length", String(length)]] };
}

const headText = ({ line, headers }: HttpHead) =>
  `${oneLine(line)}\r\n${headers.map(([name, value]) => `${oneLine(name)}: ${oneLine(value)}\r\n`).join("")}\r\n`;

/** Nothing a server sent can begin a line of its own. */
const oneLine = (text: string) => text.replace(/[\r\n\0]+/g, " ");

function record(type: string, id: string, at: string, fields: readonly (readonly [string, string])[], block: Uint8Array): Uint8Array {
  const head = [
    ["WARC-Type", type],
    ["WARC-Record-ID", id],
    ["WARC-Date", at],
    ...fields,
    ["WARC-Block-Digest", digest(block)],
    ["Content-Length", String(block.length)],
  ];
  const text = head.map(([name, value]) => `${name}: ${oneLine(value!)}\r\n`).join("");
  return gzipSync(Buffer.concat([Buffer.from(`WARC/1.1\r\n${text}\r\n`), block, Buffer.from("\r\n\r\n")]));
}

const newId = () => `<urn:uuid:${randomUUID()}>`;

/** SHA-1 in base 32, which every reader of archives understands. */
const digest = (bytes: Uint8Array) => `sha1:${base32(createHash("sha1").update(bytes).digest())}`;

function base32(bytes: Uint8Array): string {
  let bits = "";
  for (const byte of bytes) bits += byte.toString(2).padStart(8, "0");
  return (bits.match(/.{5}/g) ?? []).map((five) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[Number.parseInt(five, 2)]).join("");
}
