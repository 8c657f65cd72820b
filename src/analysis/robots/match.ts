import { normaliseEscapes, originOf, parseHttp } from "../url/index.ts";
import type { RobotsRules, Rule } from "./parse.ts";
import { PrefixTable } from "./prefix-rules.ts";
import { type StarRule, StarRules } from "./star-rules.ts";

/** A compiled rule: the literal pieces between its stars. */
interface CompiledRule extends StarRule {
  readonly rule: Rule;
}

interface RuleIndex {
  /** Rules without stars. */
  readonly prefixRules: PrefixTable<CompiledRule>;
  readonly exactRules: ReadonlyMap<string, CompiledRule>;
  readonly starRules: StarRules<CompiledRule>;
}

const indexes = new WeakMap<RobotsRules, RuleIndex>();

/**
 * The most specific rule decides: most octets, and Allow among equals (RFC 9309 §2.2.2). If matching rules with stars would take too long
 * for a URL, it counts as disallowed, and the returned rule says so.
 */
export function mayVisit(rules: RobotsRules, url: string): { allowed: boolean; rule: string | undefined } {
  const path = matchPathOf(url);
  if (path === "/robots.txt" || path.startsWith("/robots.txt?")) return { allowed: true, rule: undefined };
  let index = indexes.get(rules);
  if (!index) {
    index = buildIndex(rules.rules);
    indexes.set(rules, index);
  }
  const found = decide(index, unescapeStars(normaliseEscapes(path)));
  if (found === "too much work") return { allowed: false, rule: tooMuchWorkRule(index.starRules.count) };
  return { allowed: found?.rule.allow ?? true, rule: found && describe(found.rule) };
}

/** A URL whose path the parser would leave unchanged, unless it has dot segments. */
const USUAL_URL = /^https?:\/\/[a-z0-9][a-z0-9.-]*(?::\d+)?(\/[\w\-./~!$&()*+,;=:@%]*(?:\?[\w\-./~!$&()*+,;=:@?%]*)?)$/;

/** The text that rules are matched against: path and query as the URL parser writes them. Also accepts URLs without scheme or host. */
export function matchPathOf(url: string): string {
  const match = USUAL_URL.exec(url);
  if (match && !url.includes("/.")) return match[1]!;
  const absolute = /^https?:/i.test(url) ? url : /^\/(?!\/)/.test(url) ? `http://host${url}` : `http://${url.replace(/^\/+/, "")}`;
  const parsed = parseHttp(absolute);
  if (!parsed) return "/";
  parsed.username = "";
  parsed.password = "";
  parsed.hash = "";
  return parsed.href.slice(parsed.origin.length);
}

/** The robots.txt of the origin: no credentials, no default port. */
export const robotsUrlFor = (url: string): string => `${originOf(url)}/robots.txt`;

/** In a URL a star or dollar is a plain character, escaped or not; in a rule only the escaped one is (§2.2.3). */
const unescapeStars = (text: string) => (text.includes("%2") ? text.replaceAll("%2A", "*").replaceAll("%24", "$") : text);

const isStronger = (a: CompiledRule, b: CompiledRule | undefined) =>
  !b || a.octets > b.octets || (a.octets === b.octets && a.allow && !b.allow);

function buildIndex(rules: readonly Rule[]): RuleIndex {
  const prefixRules = new Map<string, CompiledRule>();
  const exactRules = new Map<string, CompiledRule>();
  const starRules = new Map<string, CompiledRule>();
  for (const rule of rules) {
    const { pattern, allow } = rule;
    const isAnchored = pattern.endsWith("$");
    const pieces = (isAnchored ? pattern.slice(0, -1) : pattern).split(/\*+/).map(unescapeStars);
    const compiled = { rule, pieces, isAnchored, octets: pattern.length, length: pieces.join("").length, allow };
    const [kind, name] = pieces.length > 1 ? [starRules, pattern] : [isAnchored ? exactRules : prefixRules, pieces[0]!];
    if (isStronger(compiled, kind.get(name))) kind.set(name, compiled);
  }
  return { prefixRules: new PrefixTable(prefixRules, isStronger), exactRules, starRules: new StarRules(starRules.values(), isStronger) };
}

function decide({ prefixRules, exactRules, starRules }: RuleIndex, path: string): CompiledRule | undefined | "too much work" {
  const exact = exactRules.get(path);
  const prefix = prefixRules.find(path);
  return starRules.find(path, prefix && isStronger(prefix, exact) ? prefix : exact);
}

const tooMuchWorkRule = (count: number) =>
  `robots.txt has ${count} rules with stars that take too long to hold against this URL: it counts as disallowed`;

/** Patterns contain only ASCII with escapes, so they are safe to print; long ones (a rule may have 400 KB) are shortened. */
function describe(rule: Rule): string {
  const pattern = rule.pattern.length > 200 ? `${rule.pattern.slice(0, 200)}…` : rule.pattern;
  return `${rule.allow ? "Allow" : "Disallow"}: ${pattern} (line ${rule.line})`;
}
