/** Maps the URL cases of a conformance folder onto the url room's own functions. */
import { compileScope, type KeyOptions, keyOf, registrableDomain, resolve, type ScopeKind, suspect } from "../../src/analysis/url/index.ts";

interface UrlCase {
  readonly kind: string;
  readonly input: string;
  readonly expected: string | boolean | null;
  readonly base?: string | null;
  readonly source?: string;
  readonly rule?: string;
  readonly sourcesDisagree?: boolean;
  readonly level?: string;
  readonly whatwg?: string | null;
  readonly options?: Readonly<Record<string, unknown>>;
}

const PLAIN: KeyOptions = { stripParams: [], sortParams: false, maxParams: Number.POSITIVE_INFINITY };

/** Right, wrong, or undefined where the case asks for something this crawler does not do at all. */
export function check(caseRow: unknown): boolean | undefined {
  const row = caseRow as UrlCase;
  switch (row.kind) {
    case "resolve":
      return resolve(row.input, row.base ?? undefined, PLAIN)?.url === crawlable(row.expected);
    case "normalize":
      return checkNormalise(row);
    case "pathDots":
      return checkPathDots(row);
    case "host":
    case "ipv4":
      return (hostname(resolve(`http://${row.input}/`, undefined, PLAIN)?.url) ?? null) === row.expected;
    case "registrableDomain":
      return (registrableDomain(row.input) ?? null) === row.expected;
    case "scope":
      return checkScope(row);
    case "trapFilter":
      return checkTrap(row);
    default:
      return undefined;
  }
}

/** We never ask with a fragment or userinfo, and only over http and https. Text only: the parser under test must not judge itself. */
function crawlable(expected: UrlCase["expected"]): string | undefined {
  if (typeof expected !== "string" || !/^https?:/.test(expected)) return undefined;
  return expected.replace(/#.*$/s, "").replace(/^(https?:\/\/)[^/?]*@/, "$1");
}

const hostname = (url: string | undefined) => (url === undefined ? undefined : new URL(url).hostname);

/** In http and https a backslash is a slash, whatever a tool that knows no schemes makes of it. */
function checkPathDots(row: UrlCase): boolean | undefined {
  if (row.rule?.includes("nonspecial") && row.input.includes("\\")) return undefined;
  const separator = /^[/\\]/.test(row.input) ? "" : "/";
  return (
    resolve(`http://host${separator}${row.input}`, undefined, PLAIN)?.url ===
    `http://host${separator}${String(row.expected).replaceAll("\\", "/")}`
  );
}

function checkNormalise(row: UrlCase): boolean | undefined {
  const options = keyOptions(row);
  if (options === undefined) return undefined;
  const ours = resolve(row.input, undefined, options);
  const theirs = crawlable(row.expected);
  if (theirs === undefined || row.level === "whatwg") return ours?.url === theirs;
  if (row.sourcesDisagree) return undefined;
  // What a key is for: the input and its normal form are one page.
  return ours?.key === keyOf(theirs, options);
}

/** Each case brings a second source, the WHATWG parser: the two agree about a URL where they find the same host. */
export function isConfirmed(caseRow: unknown): boolean {
  const { kind, level, whatwg, expected } = caseRow as UrlCase;
  const host = crawledHost(whatwg);
  return kind === "normalize" && level === "safe-extra" && host !== undefined && host === crawledHost(expected);
}

const crawledHost = (url: UrlCase["expected"] | undefined) =>
  /^https?:\/\/([^/?]*)/.exec(crawlable(url ?? null) ?? "")?.[1]?.replace(/\.+$/, "");

/** Why a safe-extra case is answered otherwise on purpose. */
export function exception(caseRow: unknown): string | undefined {
  const row = caseRow as UrlCase;
  if (row.kind !== "normalize" || row.level !== "safe-extra") return undefined;
  if (typeof row.whatwg !== "string") return "the WHATWG parser refuses it, so it can never be asked";
  if (!isConfirmed(row)) return "another host than the WHATWG parser finds";
  return /[\u00c2-\u00f4][\u0080-\u00bf]/.test(row.input) ? "UTF-8 that was read as Latin-1 when the case was written down" : undefined;
}

/** Lossy rules count only where the case names options and we have them all; www, scheme and slashes always tell pages apart here. */
function keyOptions(row: UrlCase): KeyOptions | undefined {
  const { removeParams, removeFragment, sortQueryParameters, ...others } = row.options ?? {};
  const stripParams = Array.isArray(removeParams) ? removeParams.map(String) : [];
  // These three sort every query, named or not.
  const sortParams = sortQueryParameters === true || /^(crawler-commons|stormcrawler|w3lib)/.test(row.source ?? "");
  const isNamed = [removeParams, removeFragment, sortQueryParameters].some((option) => option !== undefined);
  return row.level === "lossy" && (!isNamed || Object.keys(others).length > 0) ? undefined : { ...PLAIN, stripParams, sortParams };
}

function checkScope(row: UrlCase): boolean {
  const scope = row.options?.scope as ScopeKind;
  const limits = { maxComponents: 100, maxLength: 10_000, skipExtensions: [], denyHosts: [], include: [], exclude: [] };
  const url = resolve(row.input, undefined, PLAIN)?.url ?? row.input;
  return compileScope([row.base ?? ""], { scope, ...limits })(url).ok === row.expected;
}

/** A filter that refuses by the URL alone refuses what we suspect or find too long. */
function checkTrap(row: UrlCase): boolean {
  const { maxLength, maxPathRepetition } = row.options ?? {};
  const tooLong = typeof maxLength === "number" && row.input.length > maxLength;
  const repeats = typeof maxPathRepetition === "number" && suspect(row.input, undefined)?.kind === "trap.repeat";
  return !(tooLong || repeats) === row.expected;
}
