import type { ParsedLink } from "../../../analysis/parse/index.ts";
import { hash64, isPath, type KeyOptions, PrefixHash, resolve } from "../../../analysis/url/index.ts";
import { codeUnitsOf, releaseBuffer } from "../../../core/code-units.ts";
import type { Hash64, LinkKind, LinkTable } from "../../../core/records.ts";

/** Flags of a link in one byte: how it counts as a mention, and rel=nofollow. */
export const LINK = 0;
export const REFRESH = 1;
export const CANONICAL = 2;
export const NOFOLLOW = 4;

const SLASH = 47;

function flagOf(kind: LinkKind, rel: string): number {
  const mention = kind === "refresh" ? REFRESH : kind === "canonical" ? CANONICAL : LINK;
  return rel !== "" && /\bnofollow\b/i.test(rel) ? mention | NOFOLLOW : mention;
}

export interface KeySetup {
  readonly key: KeyOptions;
  readonly hashSeed: Hash64;
}

/** The links that can be followed, and their table for crossing threads: arrays and strings instead of an object per link. */
export interface LinksWithTable {
  readonly links: readonly ParsedLink[];
  readonly table: LinkTable;
}

/** Key options for links of one origin, if they differ from the run's. */
export interface HostKeys {
  readonly folder: string;
  readonly key: KeyOptions;
}

/** Most links are their own keys: they are hashed in place, and for paths on the page's own origin the hash continues from the origin's. */
export function makeLinkTable(parsed: readonly ParsedLink[], base: string, setup: KeySetup, own?: HostKeys): LinksWithTable {
  const origin = originFor(base, setup);
  const links: ParsedLink[] = [];
  const urls: string[] = [];
  const keys: string[] = [];
  const flags: number[] = [];
  const hashes = new Uint32Array(2 * parsed.length);
  let hasKeys = false;
  for (const link of parsed) {
    if (link.url === undefined) continue;
    let key = "";
    if (isItsOwnKey(link, origin)) urls.push(lineOf(origin, link.href));
    else {
      const keyed = keyedUrl(link.url, setup, own && link.url.startsWith(own.folder) ? own.key : setup.key);
      if (keyed === undefined) continue;
      hashes[2 * links.length] = keyed.hash.hi;
      hashes[2 * links.length + 1] = keyed.hash.lo;
      urls.push(lineOf(origin, keyed.url));
      if (keyed.key !== keyed.url) key = keyed.key;
    }
    hasKeys ||= key !== "";
    keys.push(key);
    flags.push(flagOf(link.kind, link.rel));
    links.push(link);
  }
  const joined = urls.join("\n");
  hashKeys(links, joined, origin, hashes);
  const table = {
    hashes: hashes.slice(0, 2 * links.length),
    flags: Uint8Array.from(flags),
    origin: origin.text,
    urls: joined,
    keys: hasKeys ? keys.join("\n") : "",
  };
  return { links, table };
}

const isItsOwnKey = ({ href, isPlain }: ParsedLink, origin: Origin) => isPlain && (origin.isOwnKey || !isPath(href));

const lineOf = ({ folder, text }: Origin, url: string) => (url.startsWith(folder) ? url.slice(text.length) : url);

/** Hashes the links that are their own keys; each is one line of `lines`. */
function hashKeys(links: readonly ParsedLink[], lines: string, origin: Origin, hashes: Uint32Array): void {
  const codes = codeUnitsOf(lines);
  let start = 0;
  for (let index = 0; index < links.length; index += 1) {
    const end = index === links.length - 1 ? lines.length : lines.indexOf("\n", start);
    const hash = codes[start] === SLASH ? origin.hash : origin.noHash;
    if (isItsOwnKey(links[index]!, origin)) hash.write(codes, start, end, hashes, 2 * index);
    start = end + 1;
  }
  releaseBuffer(codes);
}

/** One line of a table as a URL. */
export const fullUrl = (origin: string, line: string): string => (line.startsWith("/") ? origin + line : line);

interface Origin {
  readonly text: string;
  /** With its trailing slash. */
  readonly folder: string;
  readonly hash: PrefixHash;
  /** For URLs on other origins. */
  readonly noHash: PrefixHash;
  /** False for a host with a trailing dot, for example, whose key differs. */
  readonly isOwnKey: boolean;
}

let lastOrigin: Origin | undefined;
let lastSetup: KeySetup | undefined;

function originFor(base: string, setup: KeySetup): Origin {
  const pathAt = base.indexOf("/", base.indexOf("//") + 2);
  const text = pathAt < 0 ? base : base.slice(0, pathAt);
  if (lastOrigin?.text === text && lastSetup === setup) return lastOrigin;
  const folder = `${text}/`;
  const root = resolve(folder, undefined, setup.key);
  const isOwnKey = root?.url === folder && root.key === folder;
  lastOrigin = { text, folder, hash: new PrefixHash(text, setup.hashSeed), noHash: new PrefixHash("", setup.hashSeed), isOwnKey };
  lastSetup = setup;
  return lastOrigin;
}

interface Keyed {
  readonly url: string;
  readonly key: string;
  readonly hash: Hash64;
}

/** Menus and footers repeat the same links on every page, so each thread caches this many keys. */
const MAX_CACHED_KEYS = 5000;
/** One map per key options. Null for URLs that cannot be followed. */
let keyCache = new WeakMap<KeyOptions, Map<string, Keyed | null>>();
let cacheSeed: Hash64 | undefined;

/** For a URL as the parser writes it. */
function keyedUrl(url: string, { hashSeed }: KeySetup, key: KeyOptions): Keyed | undefined {
  if (!url.startsWith("http")) return undefined;
  if (cacheSeed !== hashSeed) keyCache = new WeakMap();
  cacheSeed = hashSeed;
  const cached = keyCache.get(key) ?? new Map<string, Keyed | null>();
  keyCache.set(key, cached);
  if (cached.size >= MAX_CACHED_KEYS) cached.clear();
  const before = cached.get(url);
  if (before !== undefined) return before ?? undefined;
  const own = copyOfText(url);
  const resolved = resolve(own, undefined, key);
  const keyed = resolved && { url: resolved.url, key: resolved.key, hash: hash64(resolved.key, hashSeed) };
  cached.set(own, keyed ?? null);
  return keyed;
}

/** A copy with its own memory. A slice would keep the whole text of the page in memory as long as the URL is cached. */
const copyOfText = (text: string): string => Buffer.from(text).toString();
