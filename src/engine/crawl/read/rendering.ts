import type { ScopeVerdict } from "../../../analysis/url/index.ts";
import type { Fetched, Reading, Reason, Turn, Visit } from "../../../core/records.ts";
import type { Counters, RenderedBy, ScreenshotToStore, Store } from "../../../store/index.ts";
import type { Browsers, EngineName, PageRequest, Picture, Rendered } from "../../browser/index.ts";
import type { Gate } from "../admit/gate.ts";
import { type RenderDecision, RenderGains } from "../admit/render-gains.ts";
import { EngineChoice } from "../engine-choice.ts";
import { renderingCounts } from "../settle/count.ts";
import { readLinks } from "./link-set.ts";
import { hashOnlyBody } from "./pack-body.ts";
import type { ReadResult } from "./reader.ts";

type Body = Extract<Fetched, { kind: "body" }>;

export interface RenderingSetup {
  readonly browsers: Browsers;
  readonly store: Store;
  readonly gate: Gate;
  /** `show`: every page is fetched by a plain request and then shown, because the run archives what was sent and received. */
  readonly mode: "auto" | "always" | "show";
  readonly wantsScreenshots: boolean;
  readonly counters: Counters;
  readonly scope: (url: string) => ScopeVerdict;
  readonly onPageRead: ((visit: Visit, fetched: Fetched, engine: string | undefined) => void) | undefined;
  readonly signal: AbortSignal;
}

/** An answer, and the browser that made the request, if one did. */
export interface EngineAnswer {
  readonly fetched: Fetched;
  readonly engine?: EngineName | undefined;
  readonly picture?: Picture | undefined;
}

/** An answer and its reading. */
export interface ReadAnswer {
  readonly fetched: Fetched;
  readonly result: ReadResult | undefined;
  /** Set if the body that was read comes from a browser. */
  readonly rendered?: RenderedBy | undefined;
  /** The reading of the same page without a browser, if there is one. */
  readonly raw?: Reading | undefined;
  /** Why a browser failed to render it. */
  readonly trouble?: Reason | undefined;
}

type RenderedByEngine = Rendered & { readonly engine: EngineName };

interface PendingAnswer {
  readonly tried: readonly EngineName[];
  readonly bestAnswer: ReadAnswer;
  /** A plain request was refused. */
  readonly isBlocked: boolean;
  readonly since: number;
}

/** A smaller growth of the text may be just a banner. */
const MIN_GROWTH_RATIO = 1.2;
const MIN_GROWTH_LETTERS = 80;
/** Limit for answers held until a browser has tried; above it a refusal stands. */
const MAX_PENDING = 500;
/** A held visit that has not returned after this time may never return: it was refused meanwhile, or its host passed to another process. */
const PENDING_TIMEOUT_MS = 10 * 60_000;

/**
 * Decides when a browser is used. Always: the browser requests every page, in the page's turn. Auto: pages are fetched by a plain request,
 * and the body is shown to a browser (no second request) if it is an empty shell or its template gains by that; a browser makes the
 * request only where plain requests are refused.
 */
export class Rendering {
  readonly #setup: RenderingSetup;
  readonly #engineChoice: EngineChoice;
  readonly #gains: RenderGains;
  readonly #pending = new Map<number, PendingAnswer>();
  #inProgress = 0;

  constructor(setup: RenderingSetup) {
    this.#setup = setup;
    this.#engineChoice = new EngineChoice(setup.browsers.engines, setup.store.rendering);
    this.#gains = new RenderGains(setup.store.rendering);
  }

  /** Pages being rendered at this moment. */
  get inProgress(): number {
    return this.#inProgress;
  }

  /** Whether the page will certainly be shown. Then an unchanged document (304) says nothing about the page as rendered. */
  async willRender({ siteId, url }: Visit): Promise<boolean> {
    return this.#setup.mode !== "auto" || this.#gains.isWorthRendering(siteId, url);
  }

  /** Requests the page with a browser where that is due; undefined means that a plain request is made. */
  async fetchByBrowser(visit: Visit): Promise<EngineAnswer | undefined> {
    const pending = this.#pending.get(visit.id);
    const { mode } = this.#setup;
    if (!pending && mode !== "always" && !(await this.#engineChoice.isWalled(visit.host))) return undefined;
    return this.#renderWith(visit.host, pending?.tried ?? [], visit.url, visit.turn);
  }

  /** Reads the answer and shows it to a browser where that is worth it. "again": another browser requests it in its host's next turn. */
  async readAndRender(visit: Visit, answer: EngineAnswer, read: (body: Body) => Promise<ReadResult>): Promise<ReadAnswer | "again"> {
    const seen = await this.#readAndRender(visit, answer, read);
    if (seen !== "again") this.#setup.onPageRead?.(visit, seen.fetched, seen.rendered?.engine);
    return seen;
  }

  async #readAndRender(visit: Visit, answer: EngineAnswer, read: (body: Body) => Promise<ReadResult>): Promise<ReadAnswer | "again"> {
    const { fetched, engine } = answer;
    const result = fetched.kind === "body" ? await read(fetched) : undefined;
    if (engine !== undefined) return this.#evaluate(visit, engine, { fetched, result, rendered: renderedBy(answer) });
    const seen: ReadAnswer = { fetched, result };
    if (isBlocked(seen) && this.#hasRoom() && !this.#pending.has(visit.id) && (await this.#engineChoice.mayBrowserHelp(visit.host))) {
      this.#pending.set(visit.id, { tried: [], bestAnswer: seen, isBlocked: true, since: performance.now() });
      return "again";
    }
    this.#pending.delete(visit.id);
    if (fetched.kind !== "body" || !result || !("reading" in result) || result.reading.type !== "html") return seen;
    return this.#renderBody(visit, fetched, result.reading, read);
  }

  /** The visit will not take place; drop its held answer. */
  dropPending(visit: number): void {
    this.#pending.delete(visit);
  }

  #hasRoom(): boolean {
    if (this.#pending.size < MAX_PENDING) return true;
    const before = performance.now() - PENDING_TIMEOUT_MS;
    for (const [visit, { since }] of this.#pending) {
      // Entries are in order of time, so all later ones are younger.
      if (since > before) break;
      this.#pending.delete(visit);
    }
    return this.#pending.size < MAX_PENDING;
  }

  /** Returns real content, or "again" for the next engine; if none is left, the best answer so far. */
  async #evaluate(visit: Visit, engine: EngineName, seen: ReadAnswer): Promise<ReadAnswer | "again"> {
    const before = this.#pending.get(visit.id);
    this.#pending.delete(visit.id);
    const isBad = isBlocked(seen) || hasRenderFailed(seen);
    if (!isBad && seen.fetched.kind !== "body") return seen;
    const tried = [...(before?.tried ?? []), engine];
    const others = await this.#engineChoice.learn(visit.host, engine, !isBad, tried);
    if (before?.isBlocked && !isBad) await this.#engineChoice.recordRefusal(visit.host, true);
    const bestAnswer = isBad && before ? betterAnswer(before.bestAnswer, seen) : seen;
    if (!others) return bestAnswer;
    this.#pending.set(visit.id, { tried, bestAnswer, isBlocked: before?.isBlocked ?? false, since: performance.now() });
    return "again";
  }

  async #renderBody(visit: Visit, fetched: Body, raw: Reading, read: (body: Body) => Promise<ReadResult>): Promise<ReadAnswer> {
    const unrendered: ReadAnswer = { fetched, result: { reading: raw } };
    const decision = await this.#renderDecision(visit, raw);
    if (decision === "leave") return unrendered;
    let hasGained = false;
    try {
      const renderedPage = await this.#renderWith(visit.host, [], visit.url, fetched);
      if (renderedPage?.fetched.kind === "moved") {
        hasGained = true;
        return { fetched: { ...renderedPage.fetched, timing: fetched.timing }, result: undefined };
      }
      if (renderedPage?.fetched.kind !== "body")
        return { ...unrendered, trouble: renderedPage && "reason" in renderedPage.fetched ? renderedPage.fetched.reason : undefined };
      const { status, robotsTags, wireBytes, timing } = fetched;
      const body = { ...renderedPage.fetched, status, robotsTags, wireBytes, timing };
      const result = await read(body);
      if (!("reading" in result)) return unrendered;
      hasGained = this.#hasGainedContent(raw, result.reading, visit.url);
      const isKept = hasGained || (await this.willRender(visit));
      return isKept ? { fetched: body, result, rendered: renderedBy(renderedPage), raw } : unrendered;
    } finally {
      if (this.#setup.mode === "auto") await this.#gains.learn(visit.siteId, visit.url, decision, hasGained);
    }
  }

  async #renderDecision({ siteId, url }: Visit, { sight: pageCheck, looksScripted }: Reading): Promise<RenderDecision> {
    if (this.#setup.mode !== "auto") return "render";
    if (!pageCheck?.hasScripts) return "leave";
    return this.#gains.decision(siteId, url, looksScripted || pageCheck.verdict === "script-shell");
  }

  /** Gained: a link in scope that was not there before, or a text that grew by a fifth. */
  #hasGainedContent(raw: Reading, renderedPage: Reading, url: string): boolean {
    const [before, after] = [raw.sight?.letters ?? 0, renderedPage.sight?.letters ?? 0];
    if (after >= MIN_GROWTH_RATIO * before && after - before >= MIN_GROWTH_LETTERS) return true;
    const known = new Set<string>();
    const linksBefore = readLinks(raw.links);
    for (let index = 0; index < linksBefore.count; index++) known.add(hashText(linksBefore.hash(index)));
    const linksAfter = readLinks(renderedPage.links);
    for (let index = 0; index < linksAfter.count; index++) {
      if (!known.has(hashText(linksAfter.hash(index))) && linksAfter.url(index) !== url && this.#setup.scope(linksAfter.url(index)).ok)
        return true;
    }
    return false;
  }

  /** Renders with the first suitable engine that starts. */
  async #renderWith(host: string, tried: readonly EngineName[], url: string, document: Body | Turn): Promise<RenderedByEngine | undefined> {
    for (;;) {
      const engine = await this.#engineChoice.next(host, tried);
      if (engine === undefined) return undefined;
      try {
        return { engine, ...(await this.#render(engine, url, document)) };
      } catch (error) {
        // An engine that does not start (the user can fix that) is dropped while others are left; the last one's error is thrown.
        if (!(error instanceof Error) || !("hint" in error) || !this.#engineChoice.removeEngine(engine)) throw error;
      }
    }
  }

  async #render(engine: EngineName, url: string, document: Body | Turn): Promise<Rendered> {
    const { browsers, wantsScreenshots, signal } = this.#setup;
    this.#inProgress += 1;
    renderingCounts(this.#setup.counters).shown += 1;
    try {
      return await browsers.render(engine, { url, document, refusal: this.#refusal, wantsPicture: wantsScreenshots }, signal);
    } finally {
      this.#inProgress -= 1;
    }
  }

  /** Subresources obey robots.txt where its rules are known; documents of other origins are refused where they are not. */
  readonly #refusal = ({ url, kind }: PageRequest): string | undefined => {
    const { gate } = this.#setup;
    const refused = gate.knownRefusal(url);
    if (refused) return refused.rule;
    return kind === "document" && !gate.knowsRules(url) ? "its robots.txt is not known" : undefined;
  };
}

const hashText = ({ hi, lo }: { hi: number; lo: number }) => `${hi} ${lo}`;

function renderedBy({ fetched, engine, picture }: EngineAnswer): RenderedBy | undefined {
  return engine === undefined || fetched.kind !== "body" ? undefined : { engine, picture: picture && pictureToKeep(picture) };
}

const pictureToKeep = ({ bytes, type, width, height }: Picture): ScreenshotToStore => ({
  body: { ...hashOnlyBody(bytes), data: bytes },
  type,
  width,
  height,
});

/** The answer is a block page or refusal instead of the page. A request to wait (429, Retry-After) is not one. */
function isBlocked(seen: ReadAnswer): boolean {
  const { fetched } = seen;
  if (fetched.kind === "refused") return fetched.by === "server";
  return readingOf(seen)?.sight?.verdict === "bot-wall";
}

/** True if the browser crashed, timed out or shows an empty page. */
function hasRenderFailed(seen: ReadAnswer): boolean {
  const { fetched } = seen;
  if (fetched.kind === "failed") return fetched.reason === "render.crash" || fetched.reason === "render.timeout";
  const reading = readingOf(seen);
  if (reading?.type !== "html") return false;
  const { sight: pageCheck, linkCount } = reading;
  return pageCheck?.verdict === "script-shell" || (pageCheck?.letters === 0 && linkCount === 0 && pageCheck.hasScripts);
}

const readingOf = ({ result }: ReadAnswer): Reading | undefined => (result && "reading" in result ? result.reading : undefined);

const lettersOf = (seen: ReadAnswer) => readingOf(seen)?.sight?.letters ?? -1;

const betterAnswer = (before: ReadAnswer, now: ReadAnswer): ReadAnswer => (lettersOf(now) > lettersOf(before) ? now : before);
