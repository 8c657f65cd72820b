import { normaliseEscapes, originOf, parseHttp } from "../url/index.ts";
import { finderIn } from "./occurrences.ts";
import type { RobotsRules, Rule } from "./parse.ts";

/** A rule made ready: literal pieces between its stars. */
interface Ready {
  readonly rule: Rule;
  readonly pieces: readonly string[];
  readonly isAnchored: boolean;
}

interface Index {
  /** Rules without stars, by their text: one lookup for each length there is. */
  readonly prefixes: ReadonlyMap<string, Ready>;
  readonly prefixLengths: readonly number[];
  readonly whole: ReadonlyMap<string, Ready>;
  /** Rules with stars, the most specific first. */
  readonly wild: readonly Ready[];
  readonly wildSize: number;
}

const indexes = new WeakMap<RobotsRules, Index>();

/** The most specific rule decides: most octets, and Allow among equals (RFC 9309 §2.2.2). */
export function mayVisit(rules: RobotsRules, url: string): { allowed: boolean; rule: string | undefined } {
  const path = matchPathOf(url);
  if (path === "/robots.txt" || path.startsWith("/robots.txt?")) return { allowed: true, rule: undefined };
  let index = indexes.get(rules);
  if (!index) {
    index = buildIndex(rules.rules);
    indexes.set(rules, index);
  }
  const found = decide(index, literal(normaliseEscapes(path)));
  return { allowed: found?.rule.allow ?? true, rule: found && describe(found.rule) };
}

/** A URL whose path the parser would leave as it is, unless it has dot segments. */
const PLAIN = /^https?:\/\/[a-z0-9][a-z0-9.-]*(?::\d+)?(\/[\w\-./~!$&()*+,;=:@%]*(?:\?[\w\-./~!$&()*+,;=:@?%]*)?)$/;

/** What rules are matched against: path and query as the URL parser writes them. Takes URLs without scheme or host as well. */
export function matchPathOf(url: string): string {
  const plain = PLAIN.exec(url);
  if (plain && !url.includes("/.")) return plain[1]!;
  const absolute = /^https?:/i.test(url) ? url : /^\/(?!\/)/.test(url) ? `http://host${url}` : `http://${url.replace(/^\/+/, "")}`;
  const parsed = parseHttp(absolute);
  if (!parsed) return "/";
  parsed.username = "";
  parsed.password = "";
  parsed.hash = "";
  return parsed.href.slice(parsed.origin.length);
}

/** Robots.txt of the origin: no credentials, no default port. */
export const robotsUrlFor = (url: string): string => `${originOf(url)}/robots.txt`;

/** Escaped or not, a star or dollar in a URL is just that character; in a rule only the escaped one is (§2.2.3). */
const literal = (text: string) => (text.includes("%2") ? text.replaceAll("%2A", "*").replaceAll("%24", "$") : text);

const octets = (ready: Ready) => ready.rule.pattern.length;

const beats = (a: Ready, b: Ready | undefined) => !b || octets(a) > octets(b) || (octets(a) === octets(b) && a.rule.allow && !b.rule.allow);

function buildIndex(rules: readonly Rule[]): Index {
  const prefixes = new Map<string, Ready>();
  const whole = new Map<string, Ready>();
  const wild = new Map<string, Ready>();
  for (const rule of rules) {
    const isAnchored = rule.pattern.endsWith("$");
    const body = isAnchored ? rule.pattern.slice(0, -1) : rule.pattern;
    const ready = { rule, pieces: body.split("*").map(literal), isAnchored };
    const [kind, name] = ready.pieces.length > 1 ? [wild, rule.pattern] : [isAnchored ? whole : prefixes, ready.pieces[0]!];
    if (beats(ready, kind.get(name))) kind.set(name, ready);
  }
  const prefixLengths = [...new Set([...prefixes.keys()].map((text) => text.length))].sort((a, b) => b - a);
  const sorted = [...wild.values()].sort((a, b) => octets(b) - octets(a) || Number(b.rule.allow) - Number(a.rule.allow));
  return { prefixes, prefixLengths, whole, wild: sorted, wildSize: sorted.reduce((sum, ready) => sum + octets(ready), 0) };
}

function decide(index: Index, path: string): Ready | undefined {
  let best = index.whole.get(path);
  for (const length of index.prefixLengths) {
    const found = length <= path.length ? index.prefixes.get(path.slice(0, length)) : undefined;
    if (found && beats(found, best)) best = found;
  }
  const find = finderIn(path, index.wildSize);
  for (const ready of index.wild) {
    if (best && octets(ready) < octets(best)) break;
    if (beats(ready, best) && fits(ready, path, find)) best = ready;
  }
  return best;
}

/** Each piece as early as it can be had: if that fails, nothing else can succeed. */
function fits({ pieces, isAnchored }: Ready, path: string, find: (piece: string, from: number) => number): boolean {
  const head = pieces[0]!;
  const tail = pieces.at(-1)!;
  if (!path.startsWith(head)) return false;
  let at = head.length;
  for (let index = 1; index < pieces.length - 1; index++) {
    const found = find(pieces[index]!, at);
    if (found < 0) return false;
    at = found + pieces[index]!.length;
  }
  return isAnchored ? path.length - tail.length >= at && path.endsWith(tail) : find(tail, at) >= 0;
}

/** Only escaped ASCII is in a pattern, so this is safe to print; a rule of 400 KB is not worth reading whole. */
function describe(rule: Rule): string {
  const pattern = rule.pattern.length > 200 ? `${rule.pattern.slice(0, 200)}…` : rule.pattern;
  return `${rule.allow ? "Allow" : "Disallow"}: ${pattern} (line ${rule.line})`;
}
