import { createRequire } from "node:module";
import type * as Re2 from "re2js";
import { givenHost } from "./given-host.ts";
import { compileGlob, globSize } from "./glob.ts";

/** A pattern from the user that cannot work; `hint` says what to do. */
export class PatternError extends Error {
  readonly hint: string;
  constructor(message: string, hint: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "PatternError";
    this.hint = hint;
  }
}

/** The index of the first matching pattern of a list; -1 for none. */
export type Matcher = (url: string, pathAndQuery: string) => number;

interface Expression {
  readonly pattern: string;
  /** In RE2 syntax, with its flags. */
  readonly source: string;
}

/** Limit for one expression. */
const MAX_CHARACTERS = 2000;
/** Limit for all expressions of a list: the time for one URL is at most this times its length, whatever the expressions contain. */
const MAX_INSTRUCTIONS = 2000;
/** The same limit for globs, whose steps take a fifth of the time. */
const MAX_STEPS = 10_000;

let engine: typeof Re2 | undefined;

/** RE2 in JavaScript; loaded only if there are expressions. */
function loadRe2(): typeof Re2 {
  engine ??= createRequire(import.meta.url)("re2js") as typeof Re2;
  return engine;
}

/**
 * `/regex/flags`, or a glob: `*` within a segment, `**` across segments, `?` one character. Globs with a leading slash match path and
 * query; globs with a scheme, and expressions, match the whole URL; other globs may start with a host, or match a path or its last part.
 * Time is bounded by the length of the URL and of the patterns (decision 34).
 */
export function compilePatterns(patterns: readonly string[]): Matcher {
  const empty = patterns.find((pattern) => pattern.trim() === "");
  if (empty !== undefined)
    throw new PatternError("a pattern is empty", "write a glob such as /blog/** or an expression such as /\\.pdf$/i");
  const expressions = patterns.map(expressionIn);
  const matchExpressions = compileExpressions(expressions);
  const globs = patterns.map((pattern, at) => (expressions[at] ? undefined : globIn(pattern)));
  const steps = globs.reduce((sum, glob) => sum + (glob?.size ?? 0), 0);
  if (steps > MAX_STEPS) throw tooLargeError("globs with stars", steps, MAX_STEPS, "steps");
  return (url, pathAndQuery) => {
    const glob = globs.findIndex((one) => one?.matches(url, pathAndQuery));
    const expression = matchExpressions?.(url) ?? -1;
    return expression >= 0 && (glob < 0 || expression < glob) ? expression : glob;
  };
}

function globIn(pattern: string) {
  checkGlob(pattern);
  const plain = normaliseGlob(pattern);
  if (plain.startsWith("/")) {
    const matchesPath = compileGlob(plain);
    return { size: globSize(plain), matches: (_url: string, pathAndQuery: string) => matchesPath(pathAndQuery) };
  }
  const globs = fullUrlGlobsOf(plain, pattern);
  const matchers = globs.map(compileGlob);
  return {
    size: globs.reduce((sum, glob) => sum + globSize(glob), 0),
    matches: (url: string) => matchers.some((matches) => matches(url)),
  };
}

/**
 * Globs without a scheme could never match a whole URL, so they are expanded: they may start with a host, and may be a path or the last
 * part of one.
 */
function fullUrlGlobsOf(glob: string, written: string): string[] {
  const [first = ""] = glob.split("/", 1);
  if (first.endsWith(":") || (first.includes("**") && glob !== first)) return [glob];
  const rest = glob.slice(first.length);
  const path = rest === "" ? `**/${glob}` : `*://*/${glob}`;
  const host = first.includes("**") ? undefined : hostIn(written.split("/", 1)[0]!);
  if (host === undefined) return [path];
  const hosts = /:\d+$/.test(host) ? [host] : [host, `${host}:*`];
  return [path, ...hosts.flatMap((one) => ["http", "https"].map((scheme) => `${scheme}://${one}${rest === "" ? "/**" : rest}`))];
}

/** A host as URLs have it, with a leading `*.` if given; undefined if the text is more likely a name in a path. */
function hostIn(text: string): string | undefined {
  const [, star = "", name = ""] = /^(\*\.)?(.*)$/.exec(text) ?? [];
  const hasDots = /[^.]\.[^.]/.test(name);
  const host = hasDots || /^localhost(:|$)/i.test(name) || /:\d+$/.test(name) ? givenHost(name) : undefined;
  return host === undefined ? undefined : star + host;
}

/** Rejects globs that could never match, or that have another meaning in other tools. */
function checkGlob(pattern: string): void {
  const known = "globs know * within a segment, ** across segments and ? for one character";
  if (/[{}]|\[[^\]]*$|\[[!^]|\[[^\]]-[^\]]/.test(pattern))
    throw new PatternError(
      `${pattern} is not a glob: brackets and braces have no meaning there, and ${known}`,
      "write an expression: /\\/(a|b)\\//, or one glob each",
    );
  if (pattern.includes("#"))
    throw new PatternError(`${pattern}: URLs are compared without what follows a #`, "take away the # and what follows it");
  if (/^[^/]*:\d+$/.test(pattern) || /^https?:\/\/[^/*?]*$/i.test(pattern))
    throw new PatternError(
      `${pattern} is a host, and patterns are compared with whole URLs`,
      `--deny-hosts ${pattern.replace(/^.*\/\//, "")}, or ${pattern.includes("//") ? pattern : `http://${pattern}`}/**`,
    );
}

/** In URLs scheme and host are in lower case, and non-ASCII letters are escaped. */
const normaliseGlob = (glob: string): string =>
  glob
    .replace(/^https?:\/\/[^/?#]*/i, (origin) => origin.toLowerCase())
    .replace(/(?<=^https?:\/\/)[^/?#*]*[^\0-\x7f][^/?#*]*(?=[/?#])/u, (host) => givenHost(host) ?? host)
    .replace(/[^\0-\x7f]+|[ "<>`]/gu, encodeURIComponent);

/**
 * `/en/us` could be a path or an expression. It is a path unless it contains syntax that globs lack, or has no inner slash and no unusual
 * flags.
 */
function expressionIn(pattern: string): Expression | undefined {
  const [, source, flags] = /^\/(.+)\/([dgimsuvy]*)$/.exec(pattern) ?? [];
  if (source === undefined || flags === undefined || source.includes("**")) return undefined;
  const hasRegexSyntax = /[\\^$|()[\]+{}]|\.\*/.test(source);
  if (!hasRegexSyntax && (/[/*?]/.test(source) || (flags !== "" && flags !== "i"))) return undefined;
  if (flags.includes("v")) throw new PatternError(`${pattern}: the flag v is not supported`, `take it away; ${SYNTAX}`);
  if (source.length > MAX_CHARACTERS)
    throw new PatternError(
      `an expression of ${source.length} characters is too long: ${pattern.slice(0, 60)}…`,
      `an expression has at most ${MAX_CHARACTERS} characters: write several, or globs`,
    );
  if (/\[[^\]]*[^\0-\x7f]/.test(source))
    throw new PatternError(
      `${pattern}: letters outside of ASCII are escaped in URLs, so that brackets cannot hold them`,
      "write (ä|ö) instead of [äö]",
    );
  const escaped = source.replace(/[^\0-\x7f]/gu, (letter) => `(?:${encodeURIComponent(letter)})`);
  // Other flags do not affect whether it matches.
  const relevantFlags = [...flags].filter((flag) => "ims".includes(flag)).join("");
  return { pattern, source: relevantFlags === "" ? escaped : `(?${relevantFlags})${escaped}` };
}

/** All expressions of a list are matched in one pass. */
function compileExpressions(expressions: readonly (Expression | undefined)[]): ((url: string) => number) | undefined {
  if (!expressions.some((one) => one)) return undefined;
  const set = new (loadRe2().RE2Set)();
  const indexes: number[] = [];
  let instructions = 0;
  for (const [index, expression] of expressions.entries()) {
    if (!expression) continue;
    instructions += sizeOf(expression);
    if (instructions > MAX_INSTRUCTIONS) throw tooLargeError("expressions", instructions, MAX_INSTRUCTIONS, "instructions");
    set.add(expression.source);
    indexes.push(index);
  }
  set.compile();
  return (url) => {
    const [first, ...others] = set.match(url);
    return first === undefined ? -1 : indexes[Math.min(first, ...others)]!;
  };
}

function sizeOf({ pattern, source }: Expression): number {
  try {
    return loadRe2().RE2JS.compile(source).programSize();
  } catch (cause) {
    throw syntaxErrorOf(pattern, cause as Error);
  }
}

const SYNTAX = "expressions have the syntax of RE2 (https://github.com/google/re2/wiki/Syntax)";

const notSupported: readonly (readonly [sign: RegExp, what: string, hint: string])[] = [
  [/\(\?<?[=!]/, "lookahead and lookbehind, (?=…) (?!…) (?<=…) (?<!…),", "say it with --include and --exclude together"],
  [/\\(?:[1-9]|k<)/, "backreferences, \\1 or \\k<name>,", "write out what may repeat"],
];

function syntaxErrorOf(pattern: string, cause: Error): PatternError {
  const [, what, hint] = notSupported.find(([sign]) => sign.test(pattern)) ?? [];
  if (what !== undefined)
    return new PatternError(`${pattern}: ${what} are not supported, because matching them can take for ever`, `${hint}; ${SYNTAX}`, {
      cause,
    });
  const reason = cause.message.replace(/^error parsing regexp: /, "");
  return new PatternError(
    `${pattern} is not a regular expression: ${reason}`,
    `check its brackets, or write a glob such as /blog/**; ${SYNTAX}`,
    { cause },
  );
}

const tooLargeError = (what: string, size: number, max: number, unit: string) =>
  new PatternError(
    `these ${what} are too large together: ${size} ${unit}, and ${max} is the most, so that no URL takes long`,
    "write fewer or shorter ones, --deny-hosts for whole hosts, or globs whose only star is ** at their end: those count nothing",
  );
