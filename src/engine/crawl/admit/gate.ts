import { judgeRobots, mayVisit, parseRobots, type RobotsAnswer, type RobotsOptions, robotsUrlFor } from "../../../analysis/robots/index.ts";
import {
  hostOf,
  type MazeGuard,
  type MirrorGuard,
  originOf,
  type SamePages,
  type SessionIds,
  type TrapGuard,
} from "../../../analysis/url/index.ts";
import type { Fetched, Reason, Turn } from "../../../core/records.ts";
import type { Store, StoredRobots } from "../../../store/index.ts";
import type { Fetcher } from "../../fetch/index.ts";
import type { Answer, Errand, Frontier, GateVerdict, HostQueue, Queued } from "../../frontier/index.ts";

/**
 * What is known about an origin's rules. `closed`: no candidate of it may be visited in this run, and `fetched` is the answer each of them
 * gets.
 */
type OriginRules =
  | { readonly kind: "rules"; readonly answer: RobotsAnswer; readonly until: number }
  | { readonly kind: "closed"; readonly fetched: Fetched };

export interface GateSetup {
  readonly store: Store;
  readonly fetcher: Fetcher;
  readonly options: RobotsOptions & { retries: number };
  readonly agent: string;
  readonly traps: TrapGuard | undefined;
  readonly mazes: MazeGuard | undefined;
  readonly mirrors: MirrorGuard | undefined;
  readonly same: SamePages | undefined;
  readonly sessions: SessionIds | undefined;
  readonly clock: { now(): number; wall(): number };
  /** Called once per origin and run, when its rules are known. */
  readonly onRules: (origin: string, sitemaps: readonly string[]) => Promise<void>;
  /** Called when a host has answered an errand, so that its pace is written like after a visit. */
  readonly onAnswer: (host: HostQueue) => Promise<void>;
}

const DAY = 24 * 3_600_000;
const MAX_ORIGINS = 20_000;
/** RFC 9309 §2.3.1.2: at least five hops are followed. */
const MAX_HOPS = 5;
const noTiming = { startedAt: 0, duration: 0 };

/** Robots rules and trap quarantine, asked before a host's turn is spent. The address guard sits deeper, at the socket. */
export class Gate {
  readonly #setup: GateSetup;
  readonly #known = new Map<string, OriginRules>();
  /** Origins already reported to `onRules`, and the number of failures in a row for origins whose robots.txt could not be fetched yet. */
  readonly #told = new Set<string>();
  readonly #tries = new Map<string, { readonly count: number; readonly why: string }>();

  constructor(setup: GateSetup) {
    this.#setup = setup;
  }

  /** May this candidate be asked for now? */
  check = (candidate: Queued): GateVerdict => {
    const trap = this.#trapRefusal(candidate);
    if (trap) return { kind: "refused", fetched: trap };
    if (!this.#setup.options.respectRobots) return { kind: "go", crawlDelay: undefined };
    const origin = originOf(candidate.url);
    const known = this.#known.get(origin);
    if (!known || (known.kind === "rules" && known.until < this.#setup.clock.now())) {
      return { kind: "errand", errand: { url: robotsUrlFor(candidate.url), origin, hops: 0 } };
    }
    if (known.kind === "closed") return { kind: "refused", fetched: known.fetched };
    const refusal = this.#refusalBy(known.answer, candidate.url);
    if (refusal) return { kind: "refused", fetched: refusal };
    return { kind: "go", crawlDelay: known.answer.kind === "rules" ? known.answer.rules.crawlDelay : undefined };
  };

  /** The refusal by rules that are already known; undefined if the URL is allowed or the rules are not known yet. */
  knownRefusal(url: string): Extract<Fetched, { kind: "refused" }> | undefined {
    if (!this.#setup.options.respectRobots) return undefined;
    const known = this.#known.get(originOf(url));
    const refusal = known?.kind === "rules" ? this.#refusalBy(known.answer, url) : undefined;
    return refusal?.reason === "robots.disallow" ? refusal : undefined;
  }

  /** Whether the rules of the URL's origin are known; always true where robots.txt is not respected. */
  knowsRules(url: string): boolean {
    return !this.#setup.options.respectRobots || this.#known.get(originOf(url))?.kind === "rules";
  }

  /** A request that any healthy host can answer: its robots.txt. */
  probeOf(url: string): Errand {
    return { url: robotsUrlFor(url), origin: originOf(url), hops: 0, isProbe: true };
  }

  /** Runs a robots errand and passes the result to the frontier. The host is freed last, so that the run cannot end before. */
  async run(errand: Errand, turn: Turn, frontier: Frontier, signal: AbortSignal): Promise<void> {
    const isFirst = errand.hops === 0 && !errand.isProbe;
    const stored = isFirst ? await this.#setup.store.robots(errand.origin) : undefined;
    const age = stored ? this.#setup.clock.wall() - stored.fetchedAt : DAY;
    if (stored && age >= 0 && age < DAY) {
      await this.#learn(errand.origin, this.#restore(stored), frontier, DAY - age);
      await frontier.giveBack(turn);
      return;
    }
    const fetched = await this.#setup.fetcher.fetch({ url: errand.url, turn, accept: "robots" }, signal);
    const host = frontier.learn(turn, hostAnswerOf(fetched), fetched.timing.duration);
    if (errand.isProbe) {
      // A probe only needs to know whether the host answers; `learn` has recorded that.
    } else if (fetched.kind === "moved" && errand.hops < MAX_HOPS) {
      frontier.send(hostOf(fetched.location), { ...errand, url: fetched.location, hops: errand.hops + 1 });
    } else await this.#conclude(errand, fetched, frontier);
    if (host) await this.#setup.onAnswer(host);
    frontier.free(turn);
  }

  async #conclude(errand: Errand, fetched: Fetched, frontier: Frontier): Promise<void> {
    const { agent, options, store, clock } = this.#setup;
    const answer = judgeRobots(fetched, agent, options.robotsUnreachable);
    if (answer.kind === "rules" || answer.kind === "allow-all") {
      const text = fetched.kind === "body" ? Buffer.from(fetched.bytes).toString("latin1") : "";
      const robots = { origin: errand.origin, fetchedAt: clock.wall(), kind: answer.kind, why: "why" in answer ? answer.why : "", text };
      // Permission given by --robots-unreachable holds for this run only.
      if (fetched.kind !== "failed" && !needsLogin(fetched)) await store.saveRobots(robots);
      await this.#learn(errand.origin, answer, frontier, DAY);
      return;
    }
    const tries = (this.#tries.get(errand.origin)?.count ?? 0) + 1;
    this.#tries.delete(errand.origin);
    evictOldest(this.#tries);
    this.#tries.set(errand.origin, { count: tries, why: answer.why });
    const isFinal = fetched.kind === "refused" && fetched.by === "guard";
    const canRetry = fetched.kind === "failed" ? fetched.mayHeal : !isFinal;
    if (canRetry && tries <= options.retries) {
      frontier.unhold(hostOf(errand.origin));
      return;
    }
    this.#remember(errand.origin, { kind: "closed", fetched: originRefusal(errand, fetched, answer) });
    frontier.close(hostOf(errand.origin));
  }

  async #learn(origin: string, answer: RobotsAnswer, frontier: Frontier, lifetime: number): Promise<void> {
    this.#remember(origin, { kind: "rules", answer, until: this.#setup.clock.now() + lifetime });
    if (!this.#told.has(origin)) {
      evictOldest(this.#told);
      this.#told.add(origin);
      await this.#setup.onRules(origin, answer.kind === "rules" ? answer.rules.sitemaps : []);
    }
    const delay = answer.kind === "rules" ? answer.rules.crawlDelay : undefined;
    // A host with a Crawl-delay above our maximum is not visited at all, so its hold ends without a delay.
    frontier.unhold(hostOf(origin), delay !== undefined && delay > this.#setup.options.maxCrawlDelay ? undefined : delay);
  }

  /** Evicted origins are asked for again when a candidate needs them; most of those answers come from the data file. */
  #remember(origin: string, known: OriginRules): void {
    this.#tries.delete(origin);
    this.#known.delete(origin);
    evictOldest(this.#known);
    this.#known.set(origin, known);
  }

  /** Why the rules of these hosts could not be learned, by origin. */
  troubles(hosts: readonly { readonly host: string }[]): Record<string, string> {
    const origins = hosts.flatMap(({ host }) => [`https://${host}`, `http://${host}`]);
    const known = origins.map((origin) => [origin, this.#tries.get(origin)?.why ?? whyClosed(this.#known.get(origin))] as const);
    return Object.fromEntries(known.filter((one): one is readonly [string, string] => one[1] !== undefined));
  }

  /** Entries in each of the three memories. */
  get sizes(): { readonly known: number; readonly told: number; readonly tries: number } {
    return { known: this.#known.size, told: this.#told.size, tries: this.#tries.size };
  }

  #restore(stored: StoredRobots): RobotsAnswer {
    if (stored.kind !== "rules") return { kind: "allow-all", why: stored.why };
    return { kind: "rules", rules: parseRobots(Buffer.from(stored.text, "latin1"), this.#setup.agent) };
  }

  #refusalBy(answer: RobotsAnswer, url: string): Extract<Fetched, { kind: "refused" }> | undefined {
    if (answer.kind !== "rules") return undefined;
    const { crawlDelay } = answer.rules;
    const base = { kind: "refused", by: "robots", status: undefined, retryAfter: undefined, timing: noTiming } as const;
    const { allowed, rule } = mayVisit(answer.rules, url);
    if (!allowed) return { ...base, reason: "robots.disallow", rule: rule ?? "Disallow" };
    if (crawlDelay === undefined || crawlDelay <= this.#setup.options.maxCrawlDelay) return undefined;
    return { ...base, reason: "host.crawl-delay", rule: `Crawl-delay ${crawlDelay / 1000} s is longer than --max-crawl-delay` };
  }

  /** URLs from seeds and sitemaps come from a finite list, so they cannot be part of a trap. */
  #trapRefusal(candidate: Queued): Fetched | undefined {
    const { traps, mazes, mirrors, same, sessions } = this.#setup;
    if (!traps || candidate.via === "seed" || candidate.via === "sitemap" || candidate.via === "due") return undefined;
    const refuse = (reason: Reason, rule: string): Fetched => ({
      kind: "refused",
      by: "robots",
      reason,
      rule,
      status: undefined,
      retryAfter: undefined,
      timing: noTiming,
    });
    if ((mirrors && !mirrors.admit(candidate.parent)) || !traps.admitFrom(candidate.parent))
      return refuse("duplicate.content", `only ${candidate.parent}, a mirror, names it`);
    if (mazes && !mazes.admit(candidate.hash, candidate.url))
      return refuse("trap.growing", "in a maze: its pages lead on without end and never back");
    const known = same?.refuse(candidate.url) ?? sessions?.refuse(candidate.url, candidate.host);
    if (known !== undefined) return refuse("duplicate.content", known);
    const suspicion = traps.suspect(candidate.url, candidate.parent);
    return suspicion && !traps.admit(suspicion) ? refuse(suspicion.kind, suspicion.rule) : undefined;
  }
}

function whyClosed(known: OriginRules | undefined): string | undefined {
  if (known?.kind !== "closed") return undefined;
  const { fetched } = known;
  return fetched.kind === "failed" ? fetched.detail : fetched.kind === "refused" ? fetched.rule : undefined;
}

/** Evict the oldest entry. */
function evictOldest(origins: Map<string, unknown> | Set<string>): void {
  const [oldest] = origins.keys();
  if (origins.size >= MAX_ORIGINS && oldest !== undefined) origins.delete(oldest);
}

/** How an answer counts for its host's pace. */
export function hostAnswerOf(fetched: Fetched): Answer {
  switch (fetched.kind) {
    case "body":
    case "not-modified":
    case "moved":
    case "gone":
      return { kind: "answered", duration: fetched.timing.duration };
    case "refused":
      return fetched.by === "pace"
        ? { kind: "asked-to-wait", retryAfter: fetched.retryAfter }
        : { kind: "answered", duration: fetched.timing.duration };
    case "failed":
      if (!fetched.hostFault) return { kind: "answered", duration: fetched.timing.duration };
      if (fetched.retryAfter !== undefined) return { kind: "asked-to-wait", retryAfter: fetched.retryAfter };
      return { kind: "failed", blames: fetched.wasReached || fetched.status !== undefined ? "url" : "host" };
    default:
      return fetched satisfies never;
  }
}

/** A robots.txt behind a login may be readable in the next run, which may have other credentials. */
const needsLogin = (fetched: Fetched): boolean => fetched.kind === "refused" && (fetched.status === 401 || fetched.status === 403);

/** The site's own address may be private and allowed; to read its rules the user has to allow the redirect target too. */
const redirectRule = ({ url, origin }: Errand, rule: string): string =>
  `robots.txt of ${origin} redirects to ${url}, and ${rule}; if it is yours: --allow-private ${hostOf(url)}`;

/** The answer for every candidate of the origin: the network's own error, or that its rules could not be fetched. */
function originRefusal(errand: Errand, fetched: Fetched, answer: RobotsAnswer): Fetched {
  if (fetched.kind === "failed" && fetched.status === undefined) return { ...fetched, mayHeal: false };
  // With a status, the guard refused the target of a redirect because it is not a web page: that says nothing about the candidates.
  if (fetched.kind === "refused" && fetched.by === "guard" && fetched.status === undefined)
    return originOf(errand.url) === errand.origin ? fetched : { ...fetched, rule: redirectRule(errand, fetched.rule) };
  const why = "why" in answer ? answer.why : "";
  const rule = `${errand.url}: ${why}`;
  return { kind: "refused", by: "robots", reason: "robots.unreachable", rule, status: undefined, retryAfter: undefined, timing: noTiming };
}
