import { printOf } from "../dedupe/index.ts";
import { Seen } from "../frontier/index.ts";
import type { Hash64, Visit } from "../records.ts";
import type { SettledVisit, Twin, VersionToKeep } from "../store/index.ts";
import { type Admission, MAX_HOPS } from "./admission.ts";
import { keptLinks } from "./kept-links.ts";
import { learnTraps } from "./learn-traps.ts";
import { type LinkSet, readLinks } from "./link-set.ts";
import { linksOfPage } from "./links-of-page.ts";
import type { Namer, NewLink } from "./mention.ts";
import { duplicateReason, pageNews, saysOf, versionOf } from "./news.ts";
import type { SettlerSetup } from "./settler.ts";
import type { Judgement } from "./verdict.ts";
import type { Outcome } from "./visit.ts";

const MOST_PRINTS = 5_000_000;

/** Applies an outcome: admits its links, keeps its page or marks it as seen, and feeds the guards. */
export class Consequences {
  readonly #setup: SettlerSetup;
  /** Fingerprints (text and links) of the pages settled by this process. */
  readonly #prints = new Seen(MOST_PRINTS);
  readonly #twins = new Map<Outcome, Twin>();

  constructor(setup: SettlerSetup) {
    this.#setup = setup;
  }

  async of(outcome: Outcome, judgement: Judgement, admission: Admission, depth: number): Promise<Partial<SettledVisit>> {
    if (outcome.visit.kind === "sitemap") return this.#expandSitemap(outcome, judgement, admission, depth);
    if (outcome.fetched.kind === "moved") return this.#followRedirect(outcome, admission, depth);
    return this.#pageOf(outcome, admission, depth);
  }

  /** A page that was read, was not modified, or has failed or gone. */
  async #pageOf(outcome: Outcome, admission: Admission, depth: number): Promise<Partial<SettledVisit>> {
    const { visit, fetched, reading, change, remembered } = outcome;
    if (change === undefined || (!reading && !remembered)) return {};
    const from: Namer = { id: visit.id, url: visit.url, siteId: visit.siteId };
    if (!reading) {
      const { aim } = this.#setup.admission;
      // A failed fetch is no evidence that the stored links are gone, so they are followed.
      const isAsKnown =
        fetched.kind === "not-modified" || (change === "unknown" && !remembered!.isGone && remembered!.movedTo === undefined);
      const links = visit.via === "probe" || !isAsKnown ? undefined : await linksOfPage(this.#setup.store, remembered!.pageId, aim);
      if (links?.nofollow) admission.refuseLinks(links, from, depth);
      else if (links) {
        await this.#follow(links, visit, admission, { depth, hops: 0 });
        if (outcome.looked) await admission.hearNamed(outcome.looked.links, from, depth);
      }
      return { page: pageNews(outcome, change, this.#setup.readerName) };
    }
    if (reading.sessions) this.#setup.admission.sessions?.learn(visit.host, reading.sessions);
    const { isKept, isReread } = keptOf(outcome);
    const version = isKept ? this.#versionOf(outcome) : undefined;
    const twin = version && this.#twins.get(outcome);
    const near = version && !twin ? this.#setup.near.find(reading.fingerprint.simhash, remembered?.pageId) : undefined;
    const isExpandedTwin = twin?.depthInRun !== undefined && twin.depthInRun <= depth;
    const mirrored = !reading.isBlank ? this.#setup.mirrors?.learn(visit.url, saysOf(reading), visit.parent) : undefined;
    const links = readLinks(reading.links);
    this.#setup.admission.aim?.meet(visit, twin || mirrored !== undefined ? 0 : reading.relevance);
    let news: readonly NewLink[] = [];
    if (reading.nofollow) admission.refuseLinks(links, from, depth);
    else if (visit.via !== "probe" && !isExpandedTwin && mirrored === undefined) {
      news = await this.#follow(links, visit, admission, { depth, hops: visit.hops }, outcome);
      if (outcome.looked) await admission.hearNamed(outcome.looked.links, from, depth);
    }
    await this.#hearHints(outcome, admission, from);
    const { traps, same } = this.#setup;
    // Script-rendered pages look alike without a browser, so they prove nothing about session ids or duplicates.
    if (!reading.isBlank && !reading.looksScripted) {
      const says = `${reading.fingerprint.text} ${reading.title?.value ?? ""}`;
      this.#setup.admission.sessions?.meet(visit.url, visit.host, says);
      same?.learn({ url: visit.url, body: reading.body.hash, says, hasNews: news.length > 0 });
    }
    if (traps) learnTraps(traps, outcome, { links, news, left: this.#setup.admission.maxDepth - depth - 1 }, admission);
    const page = pageNews(outcome, change, this.#setup.readerName, { version, duplicateOf: twin?.pageId, nearDuplicateOf: near, isReread });
    if (mirrored !== undefined) return { page, reason: "duplicate.content", rule: `mirrors ${mirrored}, like many pages of this site` };
    return { page, ...duplicateReason(outcome, twin?.url) };
  }

  /** Returns the links that were not known before. */
  async #follow(
    links: LinkSet,
    visit: Visit,
    admission: Admission,
    { depth, hops }: { depth: number; hops: number },
    outcome?: Outcome,
  ): Promise<readonly NewLink[]> {
    const from: Namer = { id: visit.id, url: visit.url, siteId: visit.siteId };
    const { fresh, beyond, second, news } = await admission.hearLinks(links, from, depth, hops, outcome?.reading?.matches);
    const [says, isMixed] = [outcome?.reading?.blocks?.masked, outcome?.suspicion?.isMixed];
    const { url, hash } = visit;
    const scouts = this.#setup.mazes?.learn({ url, hash, depth, fresh, beyond, second, says, isMixed: isMixed !== undefined });
    for (const scout of scouts ?? []) admission.hurry(scout);
    return news;
  }

  #versionOf({ reading, said }: Outcome): VersionToKeep {
    const { savesLinks: keepsAll, store, judge } = this.#setup;
    return versionOf(reading!, keptLinks(reading!, { keepsAll, seed: store.hashSeed, words: judge?.words ?? [] }, said));
  }

  /** One duplicate lookup for the whole batch; `#pageOf` reads the results. */
  async findTwins(outcomes: readonly Outcome[]): Promise<void> {
    const { isFirstRun, store, runId } = this.#setup;
    const suspects = outcomes.filter((outcome) => {
      const { visit, fetched, reading, change } = outcome;
      const isPage = visit.kind !== "sitemap" && fetched.kind !== "moved" && change !== undefined && !outcome.again;
      if (!isPage || !reading || reading.isBlank || !keptOf(outcome).isKept) return false;
      // In a first run every page passes here, so a fingerprint seen for the first time has no duplicate on disk.
      return !isFirstRun || this.#prints.mention(printOf(reading.fingerprint), 0) !== "new";
    });
    this.#twins.clear();
    if (suspects.length === 0) return;
    const asked = suspects.map(({ visit: { siteId, hash }, reading }) => ({ siteId, hash, fingerprint: reading!.fingerprint }));
    for (const [index, twin] of (await store.twins(runId, asked)).entries()) if (twin) this.#twins.set(suspects[index]!, twin);
  }

  async #followRedirect(outcome: Outcome, admission: Admission, depth: number): Promise<Partial<SettledVisit>> {
    const { visit, fetched, change, remembered } = outcome;
    const location = fetched.kind === "moved" ? fetched.location : "";
    const page = remembered && change ? pageNews(outcome, change, this.#setup.readerName) : undefined;
    const rule = `moved to ${location}`;
    if (visit.kind === "page") this.#setup.admission.sessions?.learnRedirect(visit.url, location);
    const target = admission.mention(location, { via: "redirect", depth, hops: visit.hops + 1, kind: visit.kind });
    if (!target) return { verdict: "skipped", reason: "scheme", rule, target: undefined, page };
    if (target.url === visit.url || (target.key === visit.key && visit.hops >= MAX_HOPS))
      return { verdict: "failed", reason: "redirect.loop", rule: "redirects to itself", target: undefined, page };
    const isSeed = visit.via === "seed" || (visit.via === "redirect" && visit.depth === 0);
    const isWider = isSeed && this.#setup.onSeedMoved(visit.url, location);
    if (target.key === visit.key) {
      const scope = this.#setup.admission.scope()(target.url);
      if (!scope.ok && visit.kind === "page") return { verdict: "skipped", reason: scope.reason, rule: scope.rule, target: location, page };
      return { verdict: "queued", reason: "ok", rule, target: undefined, page: undefined, respelt: target.url, isRetry: true };
    }
    if (visit.via === "probe") return { verdict: "fetched", reason: "ok", rule, target: location, page };
    const fate = await admission.hear(target, { id: visit.id, url: visit.url, siteId: visit.siteId });
    if (isWider) await admission.hearStrays();
    if (fate === "added" && this.#setup.mazes?.moved(visit, target)) admission.hurry(target.hash);
    const isKnown = fate === "known" || (await this.#isKnownToOthers(target.hash));
    return { verdict: "fetched", reason: isKnown ? "duplicate.redirect" : "ok", rule, target: location, page };
  }

  async #isKnownToOthers(hash: Hash64): Promise<boolean> {
    const { isShared, store, runId } = this.#setup;
    const [row] = isShared ? await store.ledgerRows(runId, [hash]) : [];
    return row !== undefined;
  }

  async #expandSitemap(outcome: Outcome, judgement: Judgement, admission: Admission, depth: number) {
    const { visit, reading, fetched } = outcome;
    if (fetched.kind === "moved") return this.#followRedirect(outcome, admission, depth);
    if (fetched.kind === "failed" || fetched.kind === "refused") this.#setup.onMissed();
    const from: Namer = { id: visit.id, url: visit.url, siteId: visit.siteId };
    const mention = { via: "sitemap", hops: 0, isUnloved: false } as const;
    await this.#hearHints(outcome, admission, from);
    for (const entry of reading?.sitemap?.pages ?? []) await admission.hear({ ...entry, ...mention, kind: "page", depth: 1 }, from);
    for (const entry of reading?.sitemap?.sitemaps ?? []) {
      await admission.hear({ ...entry, ...mention, kind: "sitemap", depth: 0, hops: visit.hops + 1 }, from);
    }
    return judgement;
  }

  async #hearHints({ visit, reading }: Outcome, admission: Admission, from: Namer): Promise<void> {
    const { due } = this.#setup;
    if (!due || !reading?.sitemap) return;
    for (const mention of await due.hear(visit, reading.sitemap.pages)) await admission.hear(mention, from);
  }
}

/** Whether the reading becomes a version of its own, or replaces one made by an older reader. */
function keptOf({ reading, change, remembered, isOtherWay }: Outcome): { readonly isKept: boolean; readonly isReread: boolean } {
  const isSameText = change === "unlinked" && remembered?.fingerprint?.text === reading!.fingerprint.text;
  // A version stored the other way (with or without a browser) has another form, so it does not count as known.
  const isKnown = !isOtherWay && (change === "same" || isSameText) && remembered?.versionId !== undefined;
  // Directives for robots are not in the fingerprint, so a change of them stores the reading again.
  const saysOtherwise = reading!.nofollow !== remembered?.nofollow || reading!.noindex !== remembered.noindex;
  const isReread = isKnown && (!remembered.isCurrent || saysOtherwise);
  return { isKept: !isKnown || isReread, isReread };
}
