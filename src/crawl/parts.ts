import { isSignedIn } from "../fetch/index.ts";
import { type Backlog, Frontier, type GateVerdict, type Queued, Seen } from "../frontier/index.ts";
import type { Reason } from "../records.ts";
import { scoreUnder, topLinks } from "../score/index.ts";
import { compileScope, hostOf, keyOptionsOf, originOf, registrableDomain, type ScopeOptions, type ScopeVerdict } from "../url/index.ts";
import type { AdmissionSetup } from "./admission.ts";
import { Budget, SharedBudget } from "./budget.ts";
import { DuePages } from "./due.ts";
import { Gate } from "./gate.ts";
import { Guards } from "./guards.ts";
import { judgeOf } from "./judge.ts";
import { KnownTypes } from "./known-types.ts";
import { tellLinks } from "./link-news.ts";
import { NearPages } from "./near-pages.ts";
import { NoiseJudge } from "./noise-judge.ts";
import { readerName } from "./read-setup.ts";
import { recordedErrands } from "./recording.ts";
import { Rendering } from "./rendering.ts";
import { type RunSetup, type RunState, readSetupOf } from "./run-setup.ts";
import { Settler } from "./settler.ts";
import { SitemapLimits } from "./sitemap-limits.ts";
import { Sources } from "./sources.ts";
import { Strays } from "./strays.ts";
import type { Tools } from "./visit.ts";
import { Wishes } from "./wishes.ts";

function withheld(candidate: Queued, verdict: GateVerdict, holdsBack: NonNullable<RunSetup["holdsBack"]>): GateVerdict {
  if (!holdsBack(candidate, verdict) || verdict.kind === "refused") return verdict;
  return refused("limit.pages", "only looked ahead");
}

function refused(reason: Reason, rule: string): GateVerdict {
  const timing = { startedAt: 0, duration: 0 };
  const fetched = { kind: "refused", by: "robots", reason, rule, timing } as const;
  return { kind: "refused", fetched: { ...fetched, status: undefined, retryAfter: undefined } };
}

/**
 * Refuses a candidate that an earlier scope admitted and the current one does not. Sitemaps are exempt: robots.txt may name one on any
 * host.
 */
function outside(candidate: Queued, scope: (url: string) => ScopeVerdict): GateVerdict | undefined {
  const verdict = candidate.kind === "sitemap" ? undefined : scope(candidate.url);
  return verdict && !verdict.ok ? refused(verdict.reason, verdict.rule) : undefined;
}

/** True if both URLs are on the same host or the same registrable domain. */
function isNeighbour(from: string, to: string): boolean {
  const [host, targetHost] = [from, to].map((url) => new URL(url).hostname);
  // Ports are ignored: the port may change with the scheme, because many servers redirect HTTP to HTTPS.
  if (host === targetHost) return true;
  const [domain, target] = [host!, targetHost!].map(registrableDomain);
  return domain !== undefined && domain === target;
}

export type Parts = ReturnType<typeof joinParts>;

/** Creates and connects all parts of a run; nothing is requested or written yet. */
export function joinParts(setup: RunSetup, signal: AbortSignal) {
  const { store, reader, config, run, clock, emit, hooks } = setup;
  const { counters } = run;
  const key = keyOptionsOf(config);
  const readSetup = readSetupOf(config, store);
  // A plugin may score links even in a run without keywords.
  const judge = judgeOf(readSetup) ?? (hooks?.scoreLinks && { scorer: "", words: [] });
  const siteIds = run.sites.map(({ id }) => id);
  const seedHosts = new Set(run.seeds.map(hostOf));
  const guards = new Guards(config, (host) => seedHosts.has(host));
  const { traps, mazes, mirrors, same, sessions, aim } = guards;
  /** URLs that count as seeds but were not given as such: targets of redirecting seeds, and seeds from plugins. */
  const homes = new Set(hooks?.seeds ?? []);
  /** URLs of `homes` that are not written to the store yet. */
  let newHomes = [...homes];
  const compile = (options: ScopeOptions = config) =>
    compileScope([...(setup.home ?? run.seeds), ...homes], { ...options, isSignedIn: isSignedIn(config) });
  let scope = compile();
  let isRescoped = (run.state as RunState).isRescoped ?? false;

  /** A site that redirects `example.org` to `www.example.org` is one site for everyone, although a scope rule sees two hosts. */
  function widenScope(from: string, to: string): boolean {
    if (setup.home || scope(to).ok || !isNeighbour(from, to)) return false;
    addHome(to);
    newHomes.push(to);
    return true;
  }

  function addHome(url: string): void {
    if (homes.has(url)) return;
    homes.add(url);
    scope.add(url);
  }

  /** Another process of this run, now or before, may have met a seed that moved; its target belongs to our scope too. */
  async function hearScope(): Promise<void> {
    for (const url of await store.homes(run.id)) addHome(url);
  }

  /** The scope options have changed: from now on, candidates admitted before are checked again. */
  function rescope(): void {
    isRescoped = true;
    scope = compile();
  }

  let hasMissed = (run.state as RunState).hasMissed ?? false;
  const onMissed = () => {
    hasMissed = true;
  };
  const state = (): RunState => ({ ...(isRescoped && { isRescoped }), ...(hasMissed && { hasMissed }) });

  const sitesByOrigin = new Map(run.sites.toReversed().map((site) => [originOf(site.url), site.id]));
  const siteAt = (url: string) => sitesByOrigin.get(originOf(url)) ?? siteIds[0]!;
  const gate = new Gate({
    store,
    fetcher: config.save.includes("warc") ? recordedErrands(setup.fetcher, siteAt, (exchange) => settler.keep(exchange)) : setup.fetcher,
    options: config,
    agent: readSetup.agent,
    traps,
    mazes,
    mirrors,
    same,
    sessions,
    clock,
    onRules: (origin, urls) => sources.hearSitemaps(origin, urls),
    onAnswer: (host) => settler.settleHost(host),
  });
  const seen = new Seen();
  const failed = new Seen();
  const knownTypes = new KnownTypes();
  const near = new NearPages();
  const due = config.due ? new DuePages({ store, siteIds, options: config, key, sessions, clock }) : undefined;
  const { holdsBack } = setup;
  const check = holdsBack ? (candidate: Queued) => withheld(candidate, gate.check(candidate), holdsBack) : gate.check;
  const checkAgain = (candidate: Queued) => (isRescoped && outside(candidate, scope)) || check(candidate);
  const backlog = store.backlog(run.id);
  const { sharing } = backlog;
  const frontier = new Frontier(config, {
    backlog: sharing ? hearingFirst(backlog, hearScope) : backlog,
    gate: checkAgain,
    clock,
    // Among several processes, only the one that resumes the run may try hosts in back-off again.
    beganAt: setup.isResumed && !setup.isHand ? clock.wall() : run.startedAt,
  });
  const admission: AdmissionSetup = {
    store,
    runId: run.id,
    siteIds,
    seen,
    hurried: new Set(),
    aim,
    failed,
    knownTypes,
    waiting: due?.waiting,
    gate,
    traps,
    sessions,
    key,
    frontier: config,
    maxDepth: config.maxDepth,
    followLinks: config.sitemap !== "only" && !setup.seedsOnly,
    keepsDecisions: config.decisions === "full",
    wantsFates: setup.wantsLinks,
    hasHistory: setup.hasHistory,
    clock,
    hooks,
    scope: () => scope,
    strays: new Strays(run.seeds),
    sitemaps: new SitemapLimits(config),
    onMissed,
  };
  const settler = new Settler({
    store,
    runId: run.id,
    frontier,
    admission,
    traps,
    mazes,
    mirrors,
    same,
    counters,
    readerName: readerName(readSetup),
    near,
    due,
    random: Math.random,
    keepVersions: config.keepVersions,
    isFirstRun: !setup.isResumed && !setup.hasHistory && sharing === undefined,
    isShared: sharing !== undefined,
    savesLinks: config.save.includes("links"),
    judge,
    top: judge && ((links) => topLinks(links, scoreUnder(config.keywords, config.scoreRatio))),
    onFound: (links) => counters.links && tellLinks(links, counters.links, { keywords: config.keywords, ratio: config.scoreRatio, emit }),
    clock,
    emit,
    state: () => ({ ...state() }),
    newHomes: () => {
      const fresh = newHomes;
      newHomes = [];
      return fresh;
    },
    memory: (visits) => (setup.isHand ? undefined : guards.note(visits)),
    onSeedMoved: widenScope,
    onMissed,
  });
  const sources = new Sources({
    store,
    run,
    settler,
    key,
    sessions,
    agent: readSetup.agent,
    sitemap: config.sitemap,
    maxDepth: config.maxDepth,
    scope: (url) => scope(url),
    clock,
    hooks,
    seedsOnly: setup.seedsOnly ?? false,
  });
  const noise = setup.hasHistory ? new NoiseJudge({ store, reader, runId: run.id, comparedBy: config.fingerprint, clock }) : undefined;
  const always = config.save.includes("warc") ? "show" : "always";
  const rendering =
    setup.browsers &&
    new Rendering({
      browsers: setup.browsers,
      store,
      gate,
      mode: config.render === "always" ? always : "auto",
      counters,
      wantsPictures: config.save.includes("screenshot"),
      scope: (url) => scope(url),
      onSeen: setup.onSeen,
      signal,
    });
  const tools: Tools = {
    fetcher: setup.fetcher,
    reader,
    store,
    siteIds,
    readerName: readerName(readSetup),
    hasHistory: setup.hasHistory,
    comparedBy: config.fingerprint,
    isFull: config.full,
    heardAll: () => !hasMissed,
    traps,
    sessions,
    mazes,
    clock,
    signal,
    hooks,
    noise,
    rendering,
  };
  const wishes = hooks?.beforeFetch && new Wishes(hooks.beforeFetch, { frontier, clock, perHost: config.perHost });
  const budget = new Budget(sharing ? Number.POSITIVE_INFINITY : config.maxPages - counters.pages);
  const sharedBudget = sharing && new SharedBudget(sharing, config.maxPages, clock.after);
  return {
    key,
    readSetup,
    judge,
    siteIds,
    guards,
    state,
    compile,
    rescope,
    hearScope,
    gate,
    seen,
    failed,
    knownTypes,
    near,
    due,
    frontier,
    settler,
    sources,
    noise,
    tools,
    wishes,
    budget,
    sharing,
    sharedBudget,
  };
}

/** Reads scope changes of other processes before any candidate of a newly leased host is checked. */
function hearingFirst(backlog: Backlog, hear: () => Promise<void>): Backlog {
  return {
    sharing: backlog.sharing!,
    async hosts(limit, inMemory) {
      const found = await backlog.hosts(limit, inMemory);
      if (found.length > 0) await hear();
      return found;
    },
    load: (wants) => backlog.load(wants),
    claim: (turns) => backlog.claim(turns),
    giveBack: (host) => backlog.giveBack(host),
    release: (host) => backlog.release(host),
  };
}
