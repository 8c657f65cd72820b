/** Web archives (WARC 1.1, ISO 28500:2017): every record is a separate gzip member, so that a reader can start at any of them. */
import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { contentTypeIn, headAsStored } from "./http-head.ts";

/** A request and its response. */
export interface Capture {
  readonly url: string;
  /** ISO 8601. */
  readonly at: string;
  readonly status: number;
  readonly address?: string | undefined;
  /** First line and headers as sent; undefined if they were not kept. */
  readonly request?: string | undefined;
  readonly response: string;
  /** Decoded; undefined if it is unknown. */
  readonly body: Uint8Array | undefined;
  /** Why the body is incomplete. */
  readonly truncated?: string | undefined;
  /** Set if only the differences from an earlier capture are written. */
  readonly revisit?: Revisit | undefined;
}

export interface Revisit {
  /** Whether the server said so (304), or the body was identical. */
  readonly because: "not-modified" | "same-body";
  /** The capture that has the body, if it is known. */
  readonly of: { readonly url: string; readonly at: string } | undefined;
}

export interface WarcRecord {
  readonly bytes: Uint8Array;
  /** The index entry; undefined for records that are not indexed. */
  readonly entry: RecordEntry | undefined;
}

export interface RecordEntry {
  readonly url: string;
  readonly at: string;
  readonly status: number;
  readonly mime: string | undefined;
  readonly digest: string | undefined;
}

const NOTHING = new Uint8Array(0);

type Fields = readonly (readonly [name: string, value: string | undefined])[];

const SPECIFICATION = "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/";

const profiles: Readonly<Record<Revisit["because"], string>> = {
  "not-modified": "http://netpreserve.org/warc/1.1/revisit/server-not-modified",
  "same-body": "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest",
};

/** Explains the file to readers who have nothing else. */
const DESCRIPTION =
  "Bodies are stored with their content and transfer codings undone; headers that spoke of them have names that begin with X-Archive-Orig-. " +
  "A response with a request record has its head as it came over the wire. One without has a head made of what was stored: status, type, validators, time.";

export function warcInfo(about: { readonly at: string; readonly software: string; readonly filename: string }): WarcRecord {
  const lines: Fields = [
    ["software", about.software],
    ["format", "WARC File Format 1.1"],
    ["conformsTo", SPECIFICATION],
    ["description", DESCRIPTION],
  ];
  const fields: Fields = [
    ["WARC-Filename", about.filename],
    ["Content-Type", "application/warc-fields"],
  ];
  const id = recordId("warcinfo", about.at, about.filename);
  return { entry: undefined, bytes: record("warcinfo", id, about.at, fields, Buffer.from(asText(lines))) };
}

/** The response record, and the request record if the request is known, with a reference to the response. */
export function warcRecords(capture: Capture): WarcRecord[] {
  const { url, at, address, request } = capture;
  const answer = answerRecord(capture);
  if (request === undefined) return [answer];
  const fields: Fields = [
    ["WARC-Target-URI", url],
    ["WARC-Concurrent-To", answerId(capture)],
    ["WARC-IP-Address", address],
    ["Content-Type", "application/http; msgtype=request"],
  ];
  const block = Buffer.from(`${request}\r\n`, "latin1");
  return [{ entry: undefined, bytes: record("request", recordId("request", at, url), at, fields, block) }, answer];
}

function answerRecord(capture: Capture): WarcRecord {
  const { url, at, status, address, body, revisit, truncated } = capture;
  // A revisit or truncated capture without a body has no digest; any other response without a body has the digest of an empty one.
  const isUnknown = body === undefined && (revisit !== undefined || truncated !== undefined);
  const payload = isUnknown ? undefined : digest(body ?? NOTHING);
  const type = revisit ? "revisit" : "response";
  const fields: Fields = [
    ["WARC-Target-URI", url],
    ["WARC-IP-Address", address],
    ["WARC-Payload-Digest", payload],
    ["WARC-Profile", revisit && profiles[revisit.because]],
    ["WARC-Refers-To", revisit?.of && recordId("response", revisit.of.at, revisit.of.url)],
    ["WARC-Refers-To-Target-URI", revisit?.of?.url],
    ["WARC-Refers-To-Date", revisit?.of?.at],
    ["WARC-Truncated", truncated],
    ["Content-Type", "application/http; msgtype=response"],
  ];
  const length = revisit?.because === "not-modified" ? undefined : (body?.length ?? 0);
  const head = Buffer.from(`${headAsStored(capture.response, length)}\r\n`, "latin1");
  const block = revisit ? head : Buffer.concat([head, body ?? NOTHING]);
  const mime = revisit ? "warc/revisit" : contentTypeIn(capture.response);
  return { entry: { url, at, status, mime, digest: payload }, bytes: record(type, answerId(capture), at, fields, block) };
}

const answerId = ({ url, at, revisit }: Capture) => recordId(revisit ? "revisit" : "response", at, url);

function record(type: string, id: string, at: string, fields: Fields, block: Uint8Array): Uint8Array {
  const head: Fields = [
    ["WARC-Type", type],
    ["WARC-Record-ID", id],
    ["WARC-Date", at],
    ...fields,
    ["WARC-Block-Digest", digest(block)],
    ["Content-Length", String(block.length)],
  ];
  return gzipSync(Buffer.concat([Buffer.from(`WARC/1.1\r\n${asText(head)}\r\n`), block, Buffer.from("\r\n\r\n")]));
}

const asText = (fields: Fields) =>
  fields.map(([name, value]) => (value === undefined ? "" : `${name}: ${value.replace(/[\r\n\0]+/g, " ")}\r\n`)).join("");

/** Derived from the record (RFC 9562 §5.8), so that a revisit can refer to another record, and a repeated export is identical. */
function recordId(type: string, at: string, name: string): string {
  const hash = createHash("sha256").update(`${type} ${at} ${name}`).digest("hex");
  const variant = "89ab"[Number.parseInt(hash[16]!, 16) % 4];
  return `<urn:uuid:${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-${variant}${hash.slice(17, 20)}-${hash.slice(20, 32)}>`;
}

/** SHA-1 in base 32, which every archive reader supports. */
const digest = (bytes: Uint8Array) => `sha1:${base32(createHash("sha1").update(bytes).digest("hex"))}`;

/** Converts five hex digits to four base-32 digits at a time; the digest has forty hex digits. */
function base32(hex: string): string {
  let text = "";
  for (let at = 0; at < hex.length; at += 5)
    text += Number.parseInt(hex.slice(at, at + 5), 16)
      .toString(32)
      .padStart(4, "0");
  return text.replace(/./g, (digit) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[Number.parseInt(digit, 32)]!);
}
