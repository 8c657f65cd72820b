import type { SessionEvidence } from "../../core/records.ts";
import { partsOf } from "./parts.ts";
import type { KeyOptions } from "./query.ts";

/** What is known about the parameters of a host when one of its pages is read. */
export interface KnownSessions {
  /** Parameters that are session ids. */
  readonly names: readonly string[];
  /** Parameters that identify other things. */
  readonly barred: readonly string[];
  /** Whether every page so far carried a random value in nearly all of its links. */
  readonly isOpen: boolean;
}

/** Usual names of session ids. */
const SESSION_NAME = /^(?:.*sess(?:ion)?[_-]?(?:id|key|token)?|\w{0,8}sid|s_id|zenid|cftoken)$/;
/** Names that sessions share with other things: more than one link must carry the value. */
const AMBIGUOUS_NAME = /^(?:s|tk|token|_token|key|auth)$/;
/** The form of a value that may be random. */
const MAYBE_RANDOM_VALUE = /^[\w.~-]{6,128}$/;
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** Links needed to tell what all links of a page have in common. */
const MIN_LINKS = 5;
const MIN_SHARE = 0.8;

interface ParamUse {
  readonly name: string;
  /** The values of the parameter for each URL without it. */
  readonly targets: Map<string, Set<string>>;
  readonly values: Set<string>;
  links: number;
}

/**
 * Finds session ids among the parameters of a page's links to its own host: the whole page carries one value, or a new one in each link,
 * that the page's URL did not contain. If two links of a page differ only in a parameter, it identifies a target and is no session id.
 */
export function sessionEvidence(urls: readonly string[], page: string, known: KnownSessions): SessionEvidence | undefined {
  const origin = `${partsOf(page)?.origin ?? ""}/`;
  const ownUrls = new Set(urls.filter((url) => url.startsWith(origin) && (known.isOpen || url.includes("?"))));
  const uses = new Map<string, ParamUse>();
  for (const url of ownUrls) addParamUses(uses, url);
  const usesInNearlyAll = [...uses.values()].filter((use) => known.isOpen && isOnNearlyAll(use, ownUrls.size));
  const isIdentifier = (use: ParamUse) => {
    const maxValues = Math.max(...[...use.targets.values()].map(({ size }) => size));
    // A menu and a footer name a page twice, each time with another value.
    return maxValues > 1 && !(maxValues <= 3 && usesInNearlyAll.includes(use));
  };
  const barred = [...uses.values()].filter(isIdentifier).map(({ name }) => name);
  const isCandidate = (use: ParamUse) => !barred.includes(use.name) && !known.barred.includes(use.name) && !isInPageUrl(use, page);
  const found = [...uses.values()]
    .filter((use) => isCandidate(use) && (hasSessionName(use) || usesInNearlyAll.includes(use)))
    .map(({ name }) => name);
  const isOrdinary =
    known.isOpen && ownUrls.size >= MIN_LINKS && ![...uses.values()].some(({ links }) => links >= MIN_SHARE * ownUrls.size);
  const evidence = {
    found: found.filter((name) => !known.names.includes(name)),
    barred: barred.filter((name) => !known.barred.includes(name)),
    isOrdinary,
  };
  return evidence.found.length > 0 || evidence.barred.length > 0 || isOrdinary ? evidence : undefined;
}

function addParamUses(uses: Map<string, ParamUse>, url: string): void {
  const at = url.indexOf("?");
  if (at < 0) return;
  const pairs = url
    .slice(at + 1)
    .split("#", 1)[0]!
    .split("&");
  for (const [place, pair] of pairs.entries()) {
    const equalsAt = pair.indexOf("=");
    const value = pair.slice(equalsAt + 1);
    if (equalsAt < 1 || !MAYBE_RANDOM_VALUE.test(value)) continue;
    const name = pair.slice(0, equalsAt).toLowerCase();
    const use = uses.get(name) ?? { name, targets: new Map<string, Set<string>>(), values: new Set<string>(), links: 0 };
    uses.set(name, use);
    const target = `${url.slice(0, at)}?${pairs.toSpliced(place, 1).join("&")}`;
    const values = use.targets.get(target) ?? new Set<string>();
    use.targets.set(target, values.add(value));
    use.values.add(value);
    use.links += 1;
  }
}

/** A page below a project, for example, names that project in all its links; a value in the page's own URL was not generated for us. */
const isInPageUrl = ({ values }: ParamUse, page: string) => values.size === 1 && page.includes([...values][0]!);

function hasSessionName({ name, values, targets }: ParamUse): boolean {
  if (values.size !== 1) return false;
  const [value = ""] = values;
  if (SESSION_NAME.test(name)) return value.length >= 8 && /\d/.test(value) && (targets.size > 1 || (isLong(value) && !UUID.test(value)));
  return AMBIGUOUS_NAME.test(name) && targets.size > 1 && isLong(value);
}

const isLong = (value: string) => value.length >= 20 && !/^\d+$/.test(value);

function isOnNearlyAll({ links, targets, values }: ParamUse, all: number): boolean {
  if (targets.size < MIN_LINKS || links < MIN_SHARE * all) return false;
  const [first = ""] = values;
  // One value in all links distinguishes nothing, whatever it is.
  if (values.size === 1) return /^\d{9,}$/.test(first) || (first.length >= 8 && /\d/.test(first) && /[a-z]/i.test(first));
  return values.size >= MIN_SHARE * targets.size && [...values].filter(isRandom).length > values.size / 2;
}

/** Generated text: lower case, capitals and digits alternate all the time. */
const isRandom = (value: string) =>
  UUID.test(value) || (value.match(/\d(?=[a-z])|[a-z](?=\d)|[a-z](?=[A-Z])|[A-Z](?=[a-z\d])|\d(?=[A-Z])/g)?.length ?? 0) >= 3;

/** Plain data for a resumed run and for the next run. */
export type SessionMemory = readonly (readonly [host: string, known: KnownSessions])[];

const MAX_HOSTS = 10_000;
const MAX_NAMES = 20;
const NOTHING_KNOWN: KnownSessions = { names: [], barred: [], isOpen: true };

/** Proof of a session id: pages that are equal under other values, and the number of different addresses among them. */
const MIN_PROOF = { pages: 4, targets: 3 };
const MAX_PAGES = 20_000;

/** The session ids of each host, as found on its pages. */
export class SessionIds {
  readonly #hosts = new Map<string, KnownSessions>();
  /** The content of a page, by its address without one parameter. */
  readonly #pages = new Map<string, { readonly url: string; readonly value: string; readonly says: string }>();
  /** Addresses, by host and parameter, with equal content under another value. */
  readonly #equalPages = new Map<string, string[]>();

  /** Number of session ids found. */
  get verdicts(): number {
    return [...this.#hosts.values()].reduce((sum, { names }) => sum + names.length, 0);
  }

  of(host: string): KnownSessions {
    return this.#hosts.get(host) ?? NOTHING_KNOWN;
  }

  learn(host: string, { found, barred, isOrdinary }: SessionEvidence): void {
    const known = this.of(host);
    const all = new Set([...known.barred, ...barred]);
    const names = [...new Set([...known.names, ...found])].filter((name) => !all.has(name));
    this.#storeHost(host, {
      names: names.slice(0, MAX_NAMES),
      // Only parameters that could be taken for a session id need to be remembered.
      barred: [...all].slice(0, MAX_NAMES),
      isOpen: known.isOpen && !isOrdinary,
    });
  }

  /** Call for each page with text: equal content under many values of a parameter means one page. */
  meet(url: string, host: string, says: string): void {
    const uses = new Map<string, ParamUse>();
    addParamUses(uses, url);
    const known = this.of(host);
    for (const { name, targets, values } of uses.values()) {
      const [[target = ""] = [], [value = ""] = []] = [[...targets.keys()], [...values]];
      if (known.names.includes(name) || known.barred.includes(name) || !isRandom(value)) continue;
      const earlier = this.#pages.get(`${name} ${target}`);
      if (!earlier && this.#pages.size < MAX_PAGES) this.#pages.set(`${name} ${target}`, { url, value, says });
      if (!earlier || earlier.value === value) continue;
      const equalPages = [...(this.#equalPages.get(`${host} ${name}`) ?? []), target];
      this.#equalPages.set(`${host} ${name}`, equalPages);
      if (earlier.says !== says) this.learn(host, { found: [], barred: [name], isOrdinary: false });
      else if (equalPages.length >= MIN_PROOF.pages && new Set(equalPages).size >= MIN_PROOF.targets)
        this.learn(host, { found: [name], barred: [], isOrdinary: false });
    }
  }

  /** Why a queued URL need not be visited: it was queued before its parameter was known to be a session id. */
  refuse(url: string, host: string): string | undefined {
    const { names } = this.of(host);
    if (names.length === 0 || !url.includes("?")) return undefined;
    const uses = new Map<string, ParamUse>();
    addParamUses(uses, url);
    for (const name of names) {
      const [target] = uses.get(name)?.targets.keys() ?? [];
      const known = this.#pages.get(`${name} ${target}`);
      if (known && known.url !== url) return `${known.url} with another session id`;
    }
    return undefined;
  }

  /** A redirect to the same address with a random parameter added shows that the server generated it. */
  learnRedirect(from: string, to: string): void {
    const [earlier, after] = [partsOf(from), partsOf(to)];
    if (!earlier || !after || earlier.host !== after.host) return;
    const known = this.of(earlier.host);
    const uses = new Map<string, ParamUse>();
    addParamUses(uses, to);
    for (const use of uses.values()) {
      if (known.barred.includes(use.name) || isInPageUrl(use, from)) continue;
      const [target = ""] = use.targets.keys();
      const isSame = target.replace(/\?$/, "") === from && [...use.values].every(isRandom);
      if (isSame || (SESSION_NAME.test(use.name) && [...use.values].every(isLong)))
        this.learn(earlier.host, { found: [use.name], barred: [], isOrdinary: false });
    }
  }

  /** The key options for URLs of a host. Returns the same object for the same names, so that callers can cache by it. */
  keyOptions(host: string, options: KeyOptions): KeyOptions {
    return withoutSessions(options, this.of(host).names);
  }

  /** The URL without session ids, for classifying the page. */
  plain(url: string): string {
    const at = url.indexOf("?");
    const host = at < 0 ? "" : (partsOf(url)?.host ?? "");
    const names = at < 0 ? [] : this.of(host).names;
    if (names.length === 0) return url;
    const kept = url
      .slice(at + 1)
      .split("&")
      .filter((pair) => !names.includes(pair.split("=", 1)[0]!.toLowerCase()));
    return kept.length > 0 ? `${url.slice(0, at)}?${kept.join("&")}` : url.slice(0, at);
  }

  snapshot(): SessionMemory {
    return [...this.#hosts].filter(([, { names }]) => names.length > 0);
  }

  restore(memory: SessionMemory): void {
    for (const [host, known] of memory) this.#storeHost(host, known);
  }

  #storeHost(host: string, known: KnownSessions): void {
    const [oldest] = this.#hosts.keys();
    if (this.#hosts.size >= MAX_HOSTS && !this.#hosts.has(host) && oldest !== undefined) this.#hosts.delete(oldest);
    this.#hosts.set(host, known);
  }
}

const derivedOptions = new WeakMap<KeyOptions, Map<string, KeyOptions>>();

export function withoutSessions(options: KeyOptions, names: readonly string[]): KeyOptions {
  if (names.length === 0) return options;
  const known = derivedOptions.get(options) ?? new Map<string, KeyOptions>();
  derivedOptions.set(options, known);
  const id = names.join(" ");
  const extended = known.get(id) ?? { ...options, stripParams: [...options.stripParams, ...names] };
  known.set(id, extended);
  return extended;
}
