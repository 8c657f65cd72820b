import type { Reason } from "../../core/records.ts";
import { accountAction } from "./account-action.ts";
import { registrableDomain } from "./domain.ts";
import { givenHost } from "./given-host.ts";
import { type Parts, partsOf } from "./parts.ts";
import { compilePatterns, type Matcher, PatternError } from "./pattern.ts";

export type ScopeKind = "page" | "prefix" | "host" | "domain" | "any";

export interface ScopeOptions {
  readonly scope: ScopeKind;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  /** Where patterns of `exclude` are written, if not as an option. */
  readonly excludeFrom?: Readonly<Record<string, string>> | undefined;
  readonly maxComponents: number;
  readonly maxLength: number;
  readonly skipExtensions: readonly string[];
  readonly denyHosts: readonly string[];
  /** Whether requests carry credentials: then links that sign out or delete are not followed. */
  readonly isSignedIn?: boolean;
}

/** `seed` is the most specific seed the URL belongs to; -1 only under "any", for a host no seed is on. */
export type ScopeVerdict = { ok: true; seed: number } | { ok: false; reason: Reason; rule: string };

type Refusal = Extract<ScopeVerdict, { ok: false }>;
const refuse = (reason: Reason, rule: string): Refusal => ({ ok: false, reason, rule });

export interface Scope {
  (url: string): ScopeVerdict;
  /** Adds a seed. */
  add(seed: string): void;
}

/** Compiles seeds and options once; a verdict on a URL then costs a few lookups. */
export function compileScope(seeds: readonly string[], options: ScopeOptions): Scope {
  const seedIndex = new SeedIndex(options.scope);
  const exclusionOf = compileExclusions(options);
  const inclusionRefusalOf = compileInclusions(options);
  const seedOf = seedFinder(seedIndex, options.scope);
  let outsideRule = `scope ${options.scope}: 0 seeds`;
  const add = (seed: string) => {
    seedIndex.add(seed);
    outsideRule = `scope ${options.scope}: ${seedIndex.size === 1 ? describe(seed, options.scope) : `${seedIndex.size} seeds`}`;
  };
  for (const seed of seeds) add(seed);
  const decide = (url: string): ScopeVerdict => {
    const parts = partsOf(url);
    if (!parts) return refuse("scheme", "only http and https");
    const isSeed = seedIndex.hosts.has(parts.host) ? seedIndex.pages.get(parts.host + parts.path + parts.query) : undefined;
    // Limits are checked first, because they bound the work of the other checks.
    const overLimit = isSeed === undefined ? limitRefusalOf(url, parts, options) : undefined;
    if (overLimit) return overLimit;
    const excluded = exclusionOf(url, parts);
    if (excluded) return excluded;
    if (isSeed !== undefined) return { ok: true, seed: isSeed };
    const seed = seedOf(parts);
    if (seed === undefined) return refuse("scope.host", outsideRule);
    return inclusionRefusalOf(url, parts) ?? { ok: true, seed };
  };
  return Object.assign(decide, { add });
}

/** The pages, directories, hosts and domains of the seeds, each with the index of the first seed there. */
class SeedIndex {
  readonly pages = new Map<string, number>();
  readonly directories = new Map<string, number>();
  readonly hosts = new Map<string, number>();
  readonly domains = new Map<string, number>();
  readonly #scope: ScopeKind;
  size = 0;

  constructor(scope: ScopeKind) {
    this.#scope = scope;
  }

  add(seed: string): void {
    const parts = partsOf(seed);
    if (!parts) throw new PatternError(`${seed} is not a URL that can be crawled`, "write it with http:// or https://");
    const setFirst = (map: Map<string, number>, name: string) => map.has(name) || map.set(name, this.size);
    setFirst(this.pages, parts.host + parts.path + parts.query);
    setFirst(this.directories, parts.host + directoryOf(parts.path));
    setFirst(this.hosts, parts.host);
    // Only if the scope needs it: the list of public suffixes takes longer to load than everything else.
    if (this.#scope === "domain") setFirst(this.domains, siteOf(parts));
    this.size += 1;
  }
}

const directoryOf = (path: string) => path.slice(0, path.lastIndexOf("/") + 1);

/**
 * Addresses and single labels have no registrable domain; there the host is the site. For a suffix that is not on the public list the last
 * label counts, by that list's default rule (`*`).
 */
const siteOf = (parts: Parts) => registrableDomain(parts.hostname) ?? parts.host;

function seedFinder(seedIndex: SeedIndex, scope: ScopeKind): (parts: Parts) => number | undefined {
  const nearestSeed = (parts: Parts) => {
    if (!seedIndex.hosts.has(parts.host)) return undefined;
    for (let end = parts.path.lastIndexOf("/"); end >= 0; end = end === 0 ? -1 : parts.path.lastIndexOf("/", end - 1)) {
      const seed = seedIndex.directories.get(parts.host + parts.path.slice(0, end + 1));
      if (seed !== undefined) return seed;
    }
    return undefined;
  };
  // With a single seed there is no nearer one to find.
  const seedOnHost = (parts: Parts) => (seedIndex.pages.size > 1 ? nearestSeed(parts) : undefined) ?? seedIndex.hosts.get(parts.host);
  switch (scope) {
    case "page":
      return () => undefined;
    case "prefix":
      return nearestSeed;
    case "host":
      return seedOnHost;
    case "domain":
      return (parts) => seedOnHost(parts) ?? seedIndex.domains.get(siteOf(parts));
    case "any":
      return (parts) => seedOnHost(parts) ?? -1;
    default:
      return scope satisfies never;
  }
}

function describe(seed: string, scope: ScopeKind): string {
  const parts = partsOf(seed)!;
  if (scope === "domain") return siteOf(parts);
  if (scope === "prefix") return parts.host + directoryOf(parts.path);
  return scope === "page" ? seed : parts.host;
}

function limitRefusalOf(url: string, parts: Parts, options: ScopeOptions): Refusal | undefined {
  if (url.length > options.maxLength) return refuse("length", `longer than ${options.maxLength} characters`);
  return countComponents(parts.path) > options.maxComponents
    ? refuse("components", `more than ${options.maxComponents} path components`)
    : undefined;
}

function countComponents(path: string): number {
  let count = 0;
  for (let at = path.indexOf("/"); at >= 0; at = path.indexOf("/", at + 1)) {
    if (at + 1 < path.length && path[at + 1] !== "/") count++;
  }
  return count;
}

function compileExclusions(options: ScopeOptions): (url: string, parts: Parts) => Refusal | undefined {
  const matching = patternsOf("--exclude", options.exclude);
  const denied = new Set(options.denyHosts.map((host) => givenHost(host) ?? host));
  return (url, parts) => {
    const port = parts.host.slice(parts.hostname.length);
    for (let name = parts.hostname, dot = 0; denied.size > 0 && dot >= 0; name = name.slice(dot + 1)) {
      const matched = denied.has(name) ? name : port !== "" && denied.has(name + port) ? name + port : undefined;
      if (matched !== undefined) return refuse("scope.exclude", `--deny-hosts ${matched}`);
      dot = name.indexOf(".");
    }
    const matched = options.exclude[matching(url, parts.path + parts.query)];
    if (matched === undefined) return undefined;
    const source = Object.hasOwn(options.excludeFrom ?? {}, matched) ? `${options.excludeFrom![matched]}:` : "--exclude";
    return refuse("scope.exclude", `${source} ${matched}`);
  };
}

function patternsOf(option: string, patterns: readonly string[]): Matcher {
  try {
    return compilePatterns(patterns);
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    throw new PatternError(`${option}: ${error.message}`, error.hint, { cause: error.cause });
  }
}

function compileInclusions(options: ScopeOptions): (url: string, parts: Parts) => Refusal | undefined {
  const matching = patternsOf("--include", options.include);
  const missedRule = `--include ${options.include.join(", ")}`;
  const skipped = new Set(options.skipExtensions.map((extension) => extension.toLowerCase().replace(/^\./, "")));
  const matchExplicit = patternsOf(
    "--include",
    options.include.filter((pattern) => accountAction(`http://x/${pattern.replace(/^[/*^]+|[*$/]+$/g, "")}`) !== undefined),
  );
  return (url, parts) => {
    if (options.include.length > 0 && matching(url, parts.path + parts.query) < 0) return refuse("scope.include", missedRule);
    const action = options.isSignedIn === true ? accountAction(url) : undefined;
    if (action !== undefined && matchExplicit(url, parts.path + parts.query) < 0)
      return refuse("account-action", `${action} in its address`);
    const extension = extensionOf(parts.path);
    return extension !== "" && skipped.has(extension) ? refuse("type", `--skip-extensions ${extension}`) : undefined;
  };
}

function extensionOf(path: string): string {
  const dot = path.lastIndexOf(".");
  return dot > path.lastIndexOf("/") ? path.slice(dot + 1).toLowerCase() : "";
}
