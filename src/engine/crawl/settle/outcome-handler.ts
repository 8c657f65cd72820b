import { fingerprintHash } from "../../../analysis/dedupe/index.ts";
import type { Hash64, Visit } from "../../../core/records.ts";
import type { Duplicate, SettledVisit, VersionToStore } from "../../../store/index.ts";
import { Seen } from "../../frontier/index.ts";
import { type Admission, MAX_HOPS } from "../admit/admission.ts";
import { learnTraps } from "../admit/learn-traps.ts";
import type { MentionSource, NewLink } from "../admit/mention.ts";
import { type LinkSet, readLinks } from "../read/link-set.ts";
import { linksToKeep } from "../read/links-to-keep.ts";
import { storedLinksOfPage } from "../read/stored-links-of-page.ts";
import type { Outcome } from "../visit.ts";
import type { Judgement } from "./judge-answer.ts";
import { duplicateReason, pageUpdateOf, textKeyOf, versionOf } from "./outcome-records.ts";
import type { SettlerSetup } from "./settler.ts";

const MAX_FINGERPRINTS = 5_000_000;

/** Applies an outcome: admits its links, keeps its page or marks it as seen, and feeds the guards. */
export class OutcomeHandler {
  readonly #setup: SettlerSetup;
  /** Fingerprints (text and links) of the pages settled by this process. */
  readonly #fingerprints = new Seen(MAX_FINGERPRINTS);
  readonly #duplicates = new Map<Outcome, Duplicate>();

  constructor(setup: SettlerSetup) {
    this.#setup = setup;
  }

  async apply(outcome: Outcome, judgement: Judgement, admission: Admission, depth: number): Promise<Partial<SettledVisit>> {
    if (outcome.visit.kind === "sitemap") return this.#expandSitemap(outcome, judgement, admission, depth);
    if (outcome.fetched.kind === "moved") return this.#followRedirect(outcome, admission, depth);
    return this.#pageOf(outcome, admission, depth);
  }

  /** A page that was read, was not modified, or has failed or gone. */
  async #pageOf(outcome: Outcome, admission: Admission, depth: number): Promise<Partial<SettledVisit>> {
    const { visit, fetched, reading, change, remembered } = outcome;
    if (change === undefined || (!reading && !remembered)) return {};
    const from: MentionSource = { id: visit.id, url: visit.url, siteId: visit.siteId };
    if (!reading) {
      const { estimator } = this.#setup.admission;
      // A failed fetch is no evidence that the stored links are gone, so they are followed.
      const mayUseStoredLinks =
        fetched.kind === "not-modified" || (change === "unknown" && !remembered!.isGone && remembered!.movedTo === undefined);
      const links =
        visit.via === "probe" || !mayUseStoredLinks ? undefined : await storedLinksOfPage(this.#setup.store, remembered!.pageId, estimator);
      if (links?.nofollow) admission.refuseLinks(links, from, depth);
      else if (links) {
        await this.#follow(links, visit, admission, { depth, hops: 0 });
        if (outcome.looked) await admission.admitUrls(outcome.looked.links, from, depth);
      }
      return { page: pageUpdateOf(outcome, change, this.#setup.readerName) };
    }
    if (reading.sessions) this.#setup.admission.sessions?.learn(visit.host, reading.sessions);
    const { isKept, isReread } = storageOf(outcome);
    const version = isKept ? this.#versionOf(outcome) : undefined;
    const duplicate = version && this.#duplicates.get(outcome);
    const near = version && !duplicate ? this.#setup.nearDuplicates.find(reading.fingerprint.simhash, remembered?.pageId) : undefined;
    const isExpandedDuplicate = duplicate?.depthInRun !== undefined && duplicate.depthInRun <= depth;
    const mirrorUrl = !reading.isBlank ? this.#setup.mirrors?.learn(visit.url, textKeyOf(reading), visit.parent) : undefined;
    const links = readLinks(reading.links);
    this.#setup.admission.estimator?.learn(visit, duplicate || mirrorUrl !== undefined ? 0 : reading.relevance);
    let newLinks: readonly NewLink[] = [];
    if (reading.nofollow) admission.refuseLinks(links, from, depth);
    else if (visit.via !== "probe" && !isExpandedDuplicate && mirrorUrl === undefined) {
      newLinks = await this.#follow(links, visit, admission, { depth, hops: visit.hops }, outcome);
      if (outcome.looked) await admission.admitUrls(outcome.looked.links, from, depth);
    }
    await this.#admitHinted(outcome, admission, from);
    const { traps, same } = this.#setup;
    // Script-rendered pages look alike without a browser, so they prove nothing about session ids or duplicates.
    if (!reading.isBlank && !reading.looksScripted) {
      const content = `${reading.fingerprint.text} ${reading.title?.value ?? ""}`;
      this.#setup.admission.sessions?.meet(visit.url, visit.host, content);
      same?.learn({ url: visit.url, body: reading.body.hash, says: content, hasNews: newLinks.length > 0 });
    }
    if (traps) learnTraps(traps, outcome, { links, newLinks, left: this.#setup.admission.maxDepth - depth - 1 }, admission);
    const page = pageUpdateOf(outcome, change, this.#setup.readerName, {
      version,
      duplicateOf: duplicate?.pageId,
      nearDuplicateOf: near,
      isReread,
    });
    if (mirrorUrl !== undefined) return { page, reason: "duplicate.content", rule: `mirrors ${mirrorUrl}, like many pages of this site` };
    return { page, ...duplicateReason(outcome, duplicate?.url) };
  }

  /** Returns the links that were not known before. */
  async #follow(
    links: LinkSet,
    visit: Visit,
    admission: Admission,
    { depth, hops }: { depth: number; hops: number },
    outcome?: Outcome,
  ): Promise<readonly NewLink[]> {
    const from: MentionSource = { id: visit.id, url: visit.url, siteId: visit.siteId };
    const { fresh, beyond, secondMentions, newLinks } = await admission.admitLinks(links, from, depth, hops, outcome?.reading?.matches);
    const [content, isMixed] = [outcome?.reading?.blocks?.masked, outcome?.suspicion?.isMixed];
    const { url, hash } = visit;
    const urgentHashes = this.#setup.mazes?.learn({
      url,
      hash,
      depth,
      fresh,
      beyond,
      second: secondMentions,
      says: content,
      isMixed: isMixed !== undefined,
    });
    for (const scout of urgentHashes ?? []) admission.moveToFront(scout);
    return newLinks;
  }

  #versionOf({ reading, said: linkScores }: Outcome): VersionToStore {
    const { savesLinks: keepsAllLinks, store, judge } = this.#setup;
    return versionOf(
      reading!,
      linksToKeep(reading!, { keepsAll: keepsAllLinks, seed: store.hashSeed, words: judge?.words ?? [] }, linkScores),
    );
  }

  /** One duplicate lookup for the whole batch; `#pageOf` reads the results. */
  async findDuplicates(outcomes: readonly Outcome[]): Promise<void> {
    const { isFirstRun, store, runId } = this.#setup;
    const candidates = outcomes.filter((outcome) => {
      const { visit, fetched, reading, change } = outcome;
      const isPage = visit.kind !== "sitemap" && fetched.kind !== "moved" && change !== undefined && !outcome.again;
      if (!isPage || !reading || reading.isBlank || !storageOf(outcome).isKept) return false;
      // In a first run every page passes here, so a fingerprint seen for the first time has no duplicate on disk.
      return !isFirstRun || this.#fingerprints.mention(fingerprintHash(reading.fingerprint), 0) !== "new";
    });
    this.#duplicates.clear();
    if (candidates.length === 0) return;
    const lookups = candidates.map(({ visit: { siteId, hash }, reading }) => ({ siteId, hash, fingerprint: reading!.fingerprint }));
    for (const [index, duplicate] of (await store.findDuplicates(runId, lookups)).entries())
      if (duplicate) this.#duplicates.set(candidates[index]!, duplicate);
  }

  async #followRedirect(outcome: Outcome, admission: Admission, depth: number): Promise<Partial<SettledVisit>> {
    const { visit, fetched, change, remembered } = outcome;
    const location = fetched.kind === "moved" ? fetched.location : "";
    const page = remembered && change ? pageUpdateOf(outcome, change, this.#setup.readerName) : undefined;
    const rule = `moved to ${location}`;
    if (visit.kind === "page") this.#setup.admission.sessions?.learnRedirect(visit.url, location);
    const target = admission.mention(location, { via: "redirect", depth, hops: visit.hops + 1, kind: visit.kind });
    if (!target) return { verdict: "skipped", reason: "scheme", rule, target: undefined, page };
    if (target.url === visit.url || (target.key === visit.key && visit.hops >= MAX_HOPS))
      return { verdict: "failed", reason: "redirect.loop", rule: "redirects to itself", target: undefined, page };
    const isSeed = visit.via === "seed" || (visit.via === "redirect" && visit.depth === 0);
    const hasScopeGrown = isSeed && this.#setup.onSeedMoved(visit.url, location);
    if (target.key === visit.key) {
      const scope = this.#setup.admission.scope()(target.url);
      if (!scope.ok && visit.kind === "page") return { verdict: "skipped", reason: scope.reason, rule: scope.rule, target: location, page };
      return { verdict: "queued", reason: "ok", rule, target: undefined, page: undefined, respelt: target.url, isRetry: true };
    }
    if (visit.via === "probe") return { verdict: "fetched", reason: "ok", rule, target: location, page };
    const fate = await admission.admit(target, { id: visit.id, url: visit.url, siteId: visit.siteId });
    if (hasScopeGrown) await admission.admitNowInScope();
    if (fate === "added" && this.#setup.mazes?.moved(visit, target)) admission.moveToFront(target.hash);
    const isKnown = fate === "known" || (await this.#isKnownElsewhere(target.hash));
    return { verdict: "fetched", reason: isKnown ? "duplicate.redirect" : "ok", rule, target: location, page };
  }

  async #isKnownElsewhere(hash: Hash64): Promise<boolean> {
    const { isShared, store, runId } = this.#setup;
    const [row] = isShared ? await store.ledgerRows(runId, [hash]) : [];
    return row !== undefined;
  }

  async #expandSitemap(outcome: Outcome, judgement: Judgement, admission: Admission, depth: number) {
    const { visit, reading, fetched } = outcome;
    if (fetched.kind === "moved") return this.#followRedirect(outcome, admission, depth);
    if (fetched.kind === "failed" || fetched.kind === "refused") this.#setup.onIncomplete();
    const from: MentionSource = { id: visit.id, url: visit.url, siteId: visit.siteId };
    const mention = { via: "sitemap", hops: 0, isNofollow: false } as const;
    await this.#admitHinted(outcome, admission, from);
    for (const entry of reading?.sitemap?.pages ?? []) await admission.admit({ ...entry, ...mention, kind: "page", depth: 1 }, from);
    for (const entry of reading?.sitemap?.sitemaps ?? []) {
      await admission.admit({ ...entry, ...mention, kind: "sitemap", depth: 0, hops: visit.hops + 1 }, from);
    }
    return judgement;
  }

  async #admitHinted({ visit, reading }: Outcome, admission: Admission, from: MentionSource): Promise<void> {
    const { due } = this.#setup;
    if (!due || !reading?.sitemap) return;
    for (const mention of await due.applyHints(visit, reading.sitemap.pages)) await admission.admit(mention, from);
  }
}

/** Whether the reading becomes a version of its own, or replaces one made by an older reader. */
function storageOf({ reading, change, remembered, isOtherWay: isRenderedOtherwise }: Outcome): {
  readonly isKept: boolean;
  readonly isReread: boolean;
} {
  const isSameText = change === "unlinked" && remembered?.fingerprint?.text === reading!.fingerprint.text;
  // A version stored the other way (with or without a browser) has another form, so it does not count as known.
  const isKnown = !isRenderedOtherwise && (change === "same" || isSameText) && remembered?.versionId !== undefined;
  // Directives for robots are not in the fingerprint, so a change of them stores the reading again.
  const hasOtherDirectives = reading!.nofollow !== remembered?.nofollow || reading!.noindex !== remembered.noindex;
  const isReread = isKnown && (!remembered.isCurrent || hasOtherDirectives);
  return { isKept: !isKnown || isReread, isReread };
}
