import { scoreUnder, topLinks } from "../../analysis/score/index.ts";
import {
  compileScope,
  hostOf,
  keyOptionsOf,
  originOf,
  registrableDomain,
  type ScopeOptions,
  type ScopeVerdict,
} from "../../analysis/url/index.ts";
import type { Reason } from "../../core/records.ts";
import { isSignedIn } from "../fetch/index.ts";
import { type Backlog, Frontier, type GateVerdict, type Queued, Seen } from "../frontier/index.ts";
import type { AdmissionSetup } from "./admit/admission.ts";
import { BeforeFetch } from "./admit/before-fetch.ts";
import { Budget, SharedBudget } from "./admit/budget.ts";
import { Gate } from "./admit/gate.ts";
import { Guards } from "./admit/guards.ts";
import { KnownTypes } from "./admit/known-types.ts";
import { OutOfScopeUrls } from "./admit/out-of-scope.ts";
import { SitemapLimits } from "./admit/sitemap-limits.ts";
import { Sources } from "./admit/sources.ts";
import { DuePages } from "./due.ts";
import { reportLinks } from "./read/link-counts.ts";
import { readerName } from "./read/read-setup.ts";
import { recordedRobotsRequests } from "./read/recording.ts";
import { Rendering } from "./read/rendering.ts";
import { type RunSetup, type RunState, readSetupOf } from "./run-setup.ts";
import { judgeOf } from "./settle/match-keywords.ts";
import { NearDuplicates } from "./settle/near-duplicates.ts";
import { NoiseDetector } from "./settle/noise-detector.ts";
import { Settler } from "./settle/settler.ts";
import type { VisitTools } from "./visit.ts";

function refuseHeldBack(candidate: Queued, verdict: GateVerdict, mustHoldBack: NonNullable<RunSetup["holdsBack"]>): GateVerdict {
  if (!mustHoldBack(candidate, verdict) || verdict.kind === "refused") return verdict;
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
function refuseOutOfScope(candidate: Queued, scope: (url: string) => ScopeVerdict): GateVerdict | undefined {
  const verdict = candidate.kind === "sitemap" ? undefined : scope(candidate.url);
  return verdict && !verdict.ok ? refused(verdict.reason, verdict.rule) : undefined;
}

/** True if both URLs are on the same host or the same registrable domain. */
function isSameSite(from: string, to: string): boolean {
  const [host, targetHost] = [from, to].map((url) => new URL(url).hostname);
  // Ports are ignored: the port may change with the scheme, because many servers redirect HTTP to HTTPS.
  if (host === targetHost) return true;
  const [domain, target] = [host!, targetHost!].map(registrableDomain);
  return domain !== undefined && domain === target;
}

export type RunParts = ReturnType<typeof createRunParts>;

/** Creates and connects all parts of a run; nothing is requested or written yet. */
export function createRunParts(setup: RunSetup, signal: AbortSignal) {
  const { store, reader, config, run, clock, emit, hooks } = setup;
  const { counters } = run;
  const key = keyOptionsOf(config);
  const readSetup = readSetupOf(config, store);
  // A plugin may score links even in a run without keywords.
  const judge = judgeOf(readSetup) ?? (hooks?.scoreLinks && { scorer: "", words: [] });
  const siteIds = run.sites.map(({ id }) => id);
  const seedHosts = new Set(run.seeds.map(hostOf));
  const guards = new Guards(config, (host) => seedHosts.has(host));
  const { traps, mazes, mirrors, same, sessions, estimator } = guards;
  /** URLs that count as seeds but were not given as such: targets of redirecting seeds, and seeds from plugins. */
  const extraSeeds = new Set(hooks?.seeds ?? []);
  /** URLs of `homes` that are not written to the store yet. */
  let newSeeds = [...extraSeeds];
  const compile = (options: ScopeOptions = config) =>
    compileScope([...(setup.home ?? run.seeds), ...extraSeeds], { ...options, isSignedIn: isSignedIn(config) });
  let scope = compile();
  let isRescoped = (run.state as RunState).isRescoped ?? false;

  /** A site that redirects `example.org` to `www.example.org` is one site for everyone, although a scope rule sees two hosts. */
  function widenScope(from: string, to: string): boolean {
    if (setup.home || scope(to).ok || !isSameSite(from, to)) return false;
    addSeed(to);
    newSeeds.push(to);
    return true;
  }

  function addSeed(url: string): void {
    if (extraSeeds.has(url)) return;
    extraSeeds.add(url);
    scope.add(url);
  }

  /** Another process of this run, now or before, may have met a seed that moved; its target belongs to our scope too. */
  async function loadScope(): Promise<void> {
    for (const url of await store.extraSeeds(run.id)) addSeed(url);
  }

  /** The scope options have changed: from now on, candidates admitted before are checked again. */
  function rescope(): void {
    isRescoped = true;
    scope = compile();
  }

  let hasMissed = (run.state as RunState).hasMissed ?? false;
  const onIncomplete = () => {
    hasMissed = true;
  };
  const state = (): RunState => ({ ...(isRescoped && { isRescoped }), ...(hasMissed && { hasMissed }) });

  const sitesByOrigin = new Map(run.sites.toReversed().map((site) => [originOf(site.url), site.id]));
  const siteIdOf = (url: string) => sitesByOrigin.get(originOf(url)) ?? siteIds[0]!;
  const gate = new Gate({
    store,
    fetcher: config.save.includes("warc")
      ? recordedRobotsRequests(setup.fetcher, siteIdOf, (exchange) => settler.addExchange(exchange))
      : setup.fetcher,
    options: config,
    agent: readSetup.agent,
    traps,
    mazes,
    mirrors,
    same,
    sessions,
    clock,
    onRules: (origin, urls) => sources.admitSitemaps(origin, urls),
    onAnswer: (host) => settler.settleHost(host),
  });
  const seen = new Seen();
  const failed = new Seen();
  const knownTypes = new KnownTypes();
  const nearDuplicates = new NearDuplicates();
  const due = config.due ? new DuePages({ store, siteIds, options: config, key, sessions, clock }) : undefined;
  const { holdsBack: mustHoldBack } = setup;
  const check = mustHoldBack ? (candidate: Queued) => refuseHeldBack(candidate, gate.check(candidate), mustHoldBack) : gate.check;
  const checkAgain = (candidate: Queued) => (isRescoped && refuseOutOfScope(candidate, scope)) || check(candidate);
  const backlog = store.backlog(run.id);
  const { sharing } = backlog;
  const frontier = new Frontier(config, {
    backlog: sharing ? withScopeRefresh(backlog, loadScope) : backlog,
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
    movedToFront: new Set(),
    estimator,
    failed,
    knownTypes,
    notDue: due?.waiting,
    gate,
    traps,
    sessions,
    key,
    frontier: config,
    maxDepth: config.maxDepth,
    followLinks: config.sitemap !== "only" && !setup.seedsOnly,
    storesDecisions: config.decisions === "full",
    wantsLinkResults: setup.wantsLinks,
    hasHistory: setup.hasHistory,
    clock,
    hooks,
    scope: () => scope,
    outOfScope: new OutOfScopeUrls(run.seeds),
    sitemaps: new SitemapLimits(config),
    onIncomplete,
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
    nearDuplicates,
    due,
    random: Math.random,
    keepVersions: config.keepVersions,
    isFirstRun: !setup.isResumed && !setup.hasHistory && sharing === undefined,
    isShared: sharing !== undefined,
    savesLinks: config.save.includes("links"),
    judge,
    top: judge && ((links) => topLinks(links, scoreUnder(config.keywords, config.scoreRatio))),
    onFound: (links) => counters.links && reportLinks(links, counters.links, { keywords: config.keywords, ratio: config.scoreRatio, emit }),
    clock,
    emit,
    state: () => ({ ...state() }),
    newSeeds: () => {
      const fresh = newSeeds;
      newSeeds = [];
      return fresh;
    },
    memory: (visits) => (setup.isHand ? undefined : guards.snapshotIfDue(visits)),
    onSeedMoved: widenScope,
    onIncomplete,
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
  const noise = setup.hasHistory ? new NoiseDetector({ store, reader, runId: run.id, comparedBy: config.fingerprint, clock }) : undefined;
  const renderMode = config.save.includes("warc") ? "show" : "always";
  const rendering =
    setup.browsers &&
    new Rendering({
      browsers: setup.browsers,
      store,
      gate,
      mode: config.render === "always" ? renderMode : "auto",
      counters,
      wantsScreenshots: config.save.includes("screenshot"),
      scope: (url) => scope(url),
      onPageRead: setup.onSeen,
      signal,
    });
  const tools: VisitTools = {
    fetcher: setup.fetcher,
    reader,
    store,
    siteIds,
    readerName: readerName(readSetup),
    hasHistory: setup.hasHistory,
    comparedBy: config.fingerprint,
    isFull: config.full,
    hasReadAllSources: () => !hasMissed,
    traps,
    sessions,
    mazes,
    clock,
    signal,
    hooks,
    noise,
    rendering,
  };
  const beforeFetch = hooks?.beforeFetch && new BeforeFetch(hooks.beforeFetch, { frontier, clock, perHost: config.perHost });
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
    loadScope,
    gate,
    seen,
    failed,
    knownTypes,
    near: nearDuplicates,
    due,
    frontier,
    settler,
    sources,
    noise,
    tools,
    wishes: beforeFetch,
    budget,
    sharing,
    sharedBudget,
  };
}

/** Reads scope changes of other processes before any candidate of a newly leased host is checked. */
function withScopeRefresh(backlog: Backlog, refreshScope: () => Promise<void>): Backlog {
  return {
    sharing: backlog.sharing!,
    async hosts(limit, inMemory) {
      const found = await backlog.hosts(limit, inMemory);
      if (found.length > 0) await refreshScope();
      return found;
    },
    load: (wants) => backlog.load(wants),
    claim: (turns) => backlog.claim(turns),
    giveBack: (host) => backlog.giveBack(host),
    release: (host) => backlog.release(host),
  };
}
