import { originOf, parseHttp } from "../../analysis/url/index.ts";
import { AccessError } from "./access-error.ts";

/** A header given by the user for an origin; without an origin it applies to those of the seeds. */
export interface UserHeader {
  readonly origin: string | undefined;
  readonly name: string;
  /** Empty if only the name is known: runs store no values. */
  readonly value: string;
}

const MAX_VALUE_LENGTH = 8 * 1024;
const HEADER_FORMAT = 'a header is written "Name: value" or "https://example.org Name: value"';
const AUTH_FORMAT = 'write "user:password" or "https://example.org user:password"';

/** Headers that frame the message, belong to the connection, or are set by the crawler. Names that begin with proxy- are refused, too. */
const RESERVED_HEADERS = new Set(
  [
    "host connection keep-alive content-length content-encoding content-type transfer-encoding te trailer upgrade expect http2-settings",
    "accept accept-encoding user-agent range if-match if-none-match if-modified-since if-unmodified-since if-range",
  ].flatMap((names) => names.split(" ")),
);

const TOKEN = "[!#$%&'*+.^_`|~0-9a-z-]+";
const tokenPattern = new RegExp(`^${TOKEN}$`, "i");
const headerPattern = new RegExp(`^(${TOKEN}):(.*)$`, "is");

/** Whether the user may set a header with this name. */
export function maySetHeader(name: string): boolean {
  const lower = name.toLowerCase();
  return tokenPattern.test(name) && !RESERVED_HEADERS.has(lower) && !lower.startsWith("proxy-");
}

/** `[origin ]Name: value`. */
export function parseHeader(text: string): UserHeader {
  const { origin, rest } = splitOrigin(text);
  const [, name, givenText = ""] = headerPattern.exec(rest) ?? [];
  // Text that is not a header line, or only a URL, is not quoted: it may be a mistyped secret.
  if (name === undefined || /^[a-z][a-z0-9+.-]*:\/\//i.test(rest)) throw new AccessError(HEADER_FORMAT, '--header "Accept-Language: de"');
  const value = givenText.replace(/^[ \t]+|[ \t]+$/g, "");
  if (name.toLowerCase() === "user-agent") throw new AccessError("the user agent is set with --user-agent", "or better, with --contact");
  if (!maySetHeader(name)) throw new AccessError(`the header ${name} is not yours to set`, "leave it out");
  if (!/^[\x20-\x7e\t]*$/.test(value) || value.length > MAX_VALUE_LENGTH)
    throw new AccessError(
      `the value of the header ${name} is not one line of plain ASCII, at most ${MAX_VALUE_LENGTH} characters`,
      HEADER_FORMAT,
    );
  return { origin, name, value };
}

/** `[origin ]user:password`, for HTTP basic authentication (RFC 7617). */
export function parseAuth(text: string): UserHeader {
  const { origin, rest } = splitOrigin(text);
  if (!rest.includes(":") || /^https?:\/\//i.test(rest))
    throw new AccessError("a user and a password belong together, with a colon between them", AUTH_FORMAT);
  if (/\p{Cc}/u.test(rest) || rest.length > MAX_VALUE_LENGTH)
    throw new AccessError("user and password are one line without control characters", AUTH_FORMAT);
  return { origin, name: "Authorization", value: rest === ":" ? "" : `Basic ${Buffer.from(rest).toString("base64")}` };
}

function splitOrigin(text: string): { origin: string | undefined; rest: string } {
  const [, givenText, rest] = /^\s*(https?:\/\/\S*)\s+(.*)$/is.exec(text) ?? [];
  if (givenText === undefined || rest === undefined) return { origin: undefined, rest: text.trimStart() };
  const url = parseHttp(givenText);
  const isOrigin = url && url.pathname === "/" && url.search === "" && url.hash === "" && url.username === "" && url.password === "";
  if (!isOrigin)
    throw new AccessError("an origin is a scheme, a host and perhaps a port, without a path or a user", "https://example.org:8443");
  return { origin: originOf(url.href), rest };
}

/** What may be stored of a header: its origin and its name. */
export const storedHeader = ({ origin, name }: UserHeader): string => `${origin === undefined ? "" : `${origin} `}${name}:`;

/** What may be stored of a user and password: only their origin. */
export const storedAuth = ({ origin }: UserHeader): string => `${origin === undefined ? "" : `${origin} `}:`;
