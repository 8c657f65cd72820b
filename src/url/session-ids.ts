import type { SessionNews } from "../records.ts";
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
const NAMED = /^(?:.*sess(?:ion)?[_-]?(?:id|key|token)?|\w{0,8}sid|s_id|zenid|cftoken)$/;
/** Names that sessions share with other things: more than one link must carry the value. */
const ALSO_NAMED = /^(?:s|tk|token|_token|key|auth)$/;
/** The form of a value that may be random. */
const VALUE = /^[\w.~-]{6,128}$/;
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** Links needed to tell what all links of a page have in common. */
const ENOUGH = 5;
const NEARLY_ALL = 0.8;

interface Use {
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
export function sessionEvidence(urls: readonly string[], page: string, known: KnownSessions): SessionNews | undefined {
  const origin = `${partsOf(page)?.origin ?? ""}/`;
  const mine = new Set(urls.filter((url) => url.startsWith(origin) && (known.isOpen || url.includes("?"))));
  const uses = new Map<string, Use>();
  for (const url of mine) note(uses, url);
  const general = [...uses.values()].filter((use) => known.isOpen && isOnNearlyAll(use, mine.size));
  const isId = (use: Use) => {
    const most = Math.max(...[...use.targets.values()].map(({ size }) => size));
    // A menu and a footer name a page twice, each time with another value.
    return most > 1 && !(most <= 3 && general.includes(use));
  };
  const barred = [...uses.values()].filter(isId).map(({ name }) => name);
  const mayBe = (use: Use) => !barred.includes(use.name) && !known.barred.includes(use.name) && !isAsked(use, page);
  const found = [...uses.values()].filter((use) => mayBe(use) && (isNamed(use) || general.includes(use))).map(({ name }) => name);
  const isOrdinary = known.isOpen && mine.size >= ENOUGH && ![...uses.values()].some(({ links }) => links >= NEARLY_ALL * mine.size);
  const news = {
    found: found.filter((name) => !known.names.includes(name)),
    barred: barred.filter((name) => !known.barred.includes(name)),
    isOrdinary,
  };
  return news.found.length > 0 || news.barred.length > 0 || isOrdinary ? news : undefined;
}

function note(uses: Map<string, Use>, url: string): void {
  const at = url.indexOf("?");
  if (at < 0) return;
  const pairs = url
    .slice(at + 1)
    .split("#", 1)[0]!
    .split("&");
  for (const [place, pair] of pairs.entries()) {
    const equalsAt = pair.indexOf("=");
    const value = pair.slice(equalsAt + 1);
    if (equalsAt < 1 || !VALUE.test(value)) continue;
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
const isAsked = ({ values }: Use, page: string) => values.size === 1 && page.includes([...values][0]!);

function isNamed({ name, values, targets }: Use): boolean {
  if (values.size !== 1) return false;
  const [value = ""] = values;
  if (NAMED.test(name)) return value.length >= 8 && /\d/.test(value) && (targets.size > 1 || (isLong(value) && !UUID.test(value)));
  return ALSO_NAMED.test(name) && targets.size > 1 && isLong(value);
}

const isLong = (value: string) => value.length >= 20 && !/^\d+$/.test(value);

function isOnNearlyAll({ links, targets, values }: Use, all: number): boolean {
  if (targets.size < ENOUGH || links < NEARLY_ALL * all) return false;
  const [first = ""] = values;
  // One value in all links distinguishes nothing, whatever it is.
  if (values.size === 1) return /^\d{9,}$/.test(first) || (first.length >= 8 && /\d/.test(first) && /[a-z]/i.test(first));
  return values.size >= NEARLY_ALL * targets.size && [...values].filter(isRandom).length > values.size / 2;
}

/** Generated text: lower case, capitals and digits alternate all the time. */
const isRandom = (value: string) =>
  UUID.test(value) || (value.match(/\d(?=[a-z])|[a-z](?=\d)|[a-z](?=[A-Z])|[A-Z](?=[a-z\d])|\d(?=[A-Z])/g)?.length ?? 0) >= 3;

/** Plain data for a resumed run and for the next run. */
export type SessionMemory = readonly (readonly [host: string, known: KnownSessions])[];

const MOST_HOSTS = 10_000;
const MOST_NAMES = 20;
const UNKNOWN: KnownSessions = { names: [], barred: [], isOpen: true };

/** Proof of a session id: pages that are equal under other values, and the number of different addresses among them. */
const PROOF = { pages: 4, targets: 3 };
const MOST_PAGES = 20_000;

/** The session ids of each host, as found on its pages. */
export class SessionIds {
  readonly #hosts = new Map<string, KnownSessions>();
  /** The content of a page, by its address without one parameter. */
  readonly #pages = new Map<string, { readonly url: string; readonly value: string; readonly says: string }>();
  /** Addresses, by host and parameter, with equal content under another value. */
  readonly #alike = new Map<string, string[]>();

  /** Number of session ids found. */
  get verdicts(): number {
    return [...this.#hosts.values()].reduce((sum, { names }) => sum + names.length, 0);
  }

  of(host: string): KnownSessions {
    return this.#hosts.get(host) ?? UNKNOWN;
  }

  learn(host: string, { found, barred, isOrdinary }: SessionNews): void {
    const known = this.of(host);
    const all = new Set([...known.barred, ...barred]);
    const names = [...new Set([...known.names, ...found])].filter((name) => !all.has(name));
    this.#keep(host, {
      names: names.slice(0, MOST_NAMES),
      // Only parameters that could be taken for a session id need to be remembered.
      barred: [...all].slice(0, MOST_NAMES),
      isOpen: known.isOpen && !isOrdinary,
    });
  }

  /** Call for each page with text: equal content under many values of a parameter means one page. */
  meet(url: string, host: string, says: string): void {
    const uses = new Map<string, Use>();
    note(uses, url);
    const known = this.of(host);
    for (const { name, targets, values } of uses.values()) {
      const [[target = ""] = [], [value = ""] = []] = [[...targets.keys()], [...values]];
      if (known.names.includes(name) || known.barred.includes(name) || !isRandom(value)) continue;
      const before = this.#pages.get(`${name} ${target}`);
      if (!before && this.#pages.size < MOST_PAGES) this.#pages.set(`${name} ${target}`, { url, value, says });
      if (!before || before.value === value) continue;
      const alike = [...(this.#alike.get(`${host} ${name}`) ?? []), target];
      this.#alike.set(`${host} ${name}`, alike);
      if (before.says !== says) this.learn(host, { found: [], barred: [name], isOrdinary: false });
      else if (alike.length >= PROOF.pages && new Set(alike).size >= PROOF.targets)
        this.learn(host, { found: [name], barred: [], isOrdinary: false });
    }
  }

  /** Why a queued URL need not be visited: it was queued before its parameter was known to be a session id. */
  refuse(url: string, host: string): string | undefined {
    const { names } = this.of(host);
    if (names.length === 0 || !url.includes("?")) return undefined;
    const uses = new Map<string, Use>();
    note(uses, url);
    for (const name of names) {
      const [target] = uses.get(name)?.targets.keys() ?? [];
      const known = this.#pages.get(`${name} ${target}`);
      if (known && known.url !== url) return `${known.url} with another session id`;
    }
    return undefined;
  }

  /** A redirect to the same address with a random parameter added shows that the server generated it. */
  learnRedirect(from: string, to: string): void {
    const [before, after] = [partsOf(from), partsOf(to)];
    if (!before || !after || before.host !== after.host) return;
    const known = this.of(before.host);
    const uses = new Map<string, Use>();
    note(uses, to);
    for (const use of uses.values()) {
      if (known.barred.includes(use.name) || isAsked(use, from)) continue;
      const [target = ""] = use.targets.keys();
      const isSame = target.replace(/\?$/, "") === from && [...use.values].every(isRandom);
      if (isSame || (NAMED.test(use.name) && [...use.values].every(isLong)))
        this.learn(before.host, { found: [use.name], barred: [], isOrdinary: false });
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
    for (const [host, known] of memory) this.#keep(host, known);
  }

  #keep(host: string, known: KnownSessions): void {
    const [oldest] = this.#hosts.keys();
    if (this.#hosts.size >= MOST_HOSTS && !this.#hosts.has(host) && oldest !== undefined) this.#hosts.delete(oldest);
    this.#hosts.set(host, known);
  }
}

const derived = new WeakMap<KeyOptions, Map<string, KeyOptions>>();

export function withoutSessions(options: KeyOptions, names: readonly string[]): KeyOptions {
  if (names.length === 0) return options;
  const known = derived.get(options) ?? new Map<string, KeyOptions>();
  derived.set(options, known);
  const id = names.join(" ");
  const made = known.get(id) ?? { ...options, stripParams: [...options.stripParams, ...names] };
  known.set(id, made);
  return made;
}
