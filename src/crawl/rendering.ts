import type { Browsers, EngineName, PageRequest, Picture, Rendered } from "../browser/index.ts";
import type { Fetched, Reading, Reason, Turn, Visit } from "../records.ts";
import type { Counters, PictureToKeep, RenderedBy, Store } from "../store/index.ts";
import type { ScopeVerdict } from "../url/index.ts";
import { renderingCounts } from "./count.ts";
import { EngineChoice } from "./engine-choice.ts";
import type { Gate } from "./gate.ts";
import { readLinks } from "./link-set.ts";
import { nameBody } from "./pack-body.ts";
import type { ReadResult } from "./reader.ts";
import { type Showing, TemplateGains } from "./template-gains.ts";

type Body = Extract<Fetched, { kind: "body" }>;

export interface RenderingSetup {
  readonly browsers: Browsers;
  readonly store: Store;
  readonly gate: Gate;
  /** `show`: every page is fetched by a plain request and then shown, because the run archives what was sent and received. */
  readonly mode: "auto" | "always" | "show";
  readonly wantsPictures: boolean;
  readonly counters: Counters;
  readonly scope: (url: string) => ScopeVerdict;
  readonly onSeen: ((visit: Visit, fetched: Fetched, engine: string | undefined) => void) | undefined;
  readonly signal: AbortSignal;
}

/** An answer, and the browser that made the request, if one did. */
export interface Asked {
  readonly fetched: Fetched;
  readonly engine?: EngineName | undefined;
  readonly picture?: Picture | undefined;
}

/** An answer and its reading. */
export interface Seen {
  readonly fetched: Fetched;
  readonly result: ReadResult | undefined;
  /** Set if the body that was read comes from a browser. */
  readonly rendered?: RenderedBy | undefined;
  /** The reading of the same page without a browser, if there is one. */
  readonly raw?: Reading | undefined;
  /** Why a browser failed to render it. */
  readonly trouble?: Reason | undefined;
}

type ShownBy = Rendered & { readonly engine: EngineName };

interface Tries {
  readonly tried: readonly EngineName[];
  readonly best: Seen;
  /** A plain request was refused. */
  readonly isWall: boolean;
  readonly since: number;
}

/** A smaller growth of the text may be just a banner. */
const GROWTH = 1.2;
const LEAST_GROWTH = 80;
/** Limit for answers held until a browser has tried; above it a refusal stands. */
const MOST_TRIES = 500;
/** A held visit that has not returned after this time may never return: it was refused meanwhile, or its host passed to another process. */
const FORGOTTEN = 10 * 60_000;

/**
 * Decides when a browser is used. Always: the browser requests every page, in the page's turn. Auto: pages are fetched by a plain request,
 * and the body is shown to a browser (no second request) if it is an empty shell or its template gains by that; a browser makes the
 * request only where plain requests are refused.
 */
export class Rendering {
  readonly #setup: RenderingSetup;
  readonly #choice: EngineChoice;
  readonly #gains: TemplateGains;
  readonly #tries = new Map<number, Tries>();
  #atWork = 0;

  constructor(setup: RenderingSetup) {
    this.#setup = setup;
    this.#choice = new EngineChoice(setup.browsers.engines, setup.store.rendering);
    this.#gains = new TemplateGains(setup.store.rendering);
  }

  /** Pages being rendered at this moment. */
  get atWork(): number {
    return this.#atWork;
  }

  /** Whether the page will certainly be shown. Then an unchanged document (304) says nothing about the page as rendered. */
  async willShow({ siteId, url }: Visit): Promise<boolean> {
    return this.#setup.mode !== "auto" || this.#gains.isWorth(siteId, url);
  }

  /** Requests the page with a browser where that is due; undefined means that a plain request is made. */
  async ask(visit: Visit): Promise<Asked | undefined> {
    const tries = this.#tries.get(visit.id);
    const { mode } = this.#setup;
    if (!tries && mode !== "always" && !(await this.#choice.isWalled(visit.host))) return undefined;
    return this.#renderWith(visit.host, tries?.tried ?? [], visit.url, visit.turn);
  }

  /** Reads the answer and shows it to a browser where that is worth it. "again": another browser requests it in its host's next turn. */
  async see(visit: Visit, asked: Asked, read: (body: Body) => Promise<ReadResult>): Promise<Seen | "again"> {
    const seen = await this.#see(visit, asked, read);
    if (seen !== "again") this.#setup.onSeen?.(visit, seen.fetched, seen.rendered?.engine);
    return seen;
  }

  async #see(visit: Visit, asked: Asked, read: (body: Body) => Promise<ReadResult>): Promise<Seen | "again"> {
    const { fetched, engine } = asked;
    const result = fetched.kind === "body" ? await read(fetched) : undefined;
    if (engine !== undefined) return this.#judge(visit, engine, { fetched, result, rendered: renderedBy(asked) });
    const seen: Seen = { fetched, result };
    if (isWall(seen) && this.#hasRoom() && !this.#tries.has(visit.id) && (await this.#choice.mayHelp(visit.host))) {
      this.#tries.set(visit.id, { tried: [], best: seen, isWall: true, since: performance.now() });
      return "again";
    }
    this.#tries.delete(visit.id);
    if (fetched.kind !== "body" || !result || !("reading" in result) || result.reading.type !== "html") return seen;
    return this.#show(visit, fetched, result.reading, read);
  }

  /** The visit will not take place; drop its held answer. */
  forget(visit: number): void {
    this.#tries.delete(visit);
  }

  #hasRoom(): boolean {
    if (this.#tries.size < MOST_TRIES) return true;
    const before = performance.now() - FORGOTTEN;
    for (const [visit, { since }] of this.#tries) {
      // Entries are in order of time, so all later ones are younger.
      if (since > before) break;
      this.#tries.delete(visit);
    }
    return this.#tries.size < MOST_TRIES;
  }

  /** Returns real content, or "again" for the next engine; if none is left, the best answer so far. */
  async #judge(visit: Visit, engine: EngineName, seen: Seen): Promise<Seen | "again"> {
    const before = this.#tries.get(visit.id);
    this.#tries.delete(visit.id);
    const isBad = isWall(seen) || isBroken(seen);
    if (!isBad && seen.fetched.kind !== "body") return seen;
    const tried = [...(before?.tried ?? []), engine];
    const others = await this.#choice.learn(visit.host, engine, !isBad, tried);
    if (before?.isWall && !isBad) await this.#choice.sawWall(visit.host, true);
    const best = isBad && before ? better(before.best, seen) : seen;
    if (!others) return best;
    this.#tries.set(visit.id, { tried, best, isWall: before?.isWall ?? false, since: performance.now() });
    return "again";
  }

  async #show(visit: Visit, fetched: Body, raw: Reading, read: (body: Body) => Promise<ReadResult>): Promise<Seen> {
    const asIs: Seen = { fetched, result: { reading: raw } };
    const showing = await this.#showingOf(visit, raw);
    if (showing === "leave") return asIs;
    let hasGained = false;
    try {
      const shown = await this.#renderWith(visit.host, [], visit.url, fetched);
      if (shown?.fetched.kind === "moved") {
        hasGained = true;
        return { fetched: { ...shown.fetched, timing: fetched.timing }, result: undefined };
      }
      if (shown?.fetched.kind !== "body")
        return { ...asIs, trouble: shown && "reason" in shown.fetched ? shown.fetched.reason : undefined };
      const { status, robotsTags, wireBytes, timing } = fetched;
      const body = { ...shown.fetched, status, robotsTags, wireBytes, timing };
      const result = await read(body);
      if (!("reading" in result)) return asIs;
      hasGained = this.#gainedBy(raw, result.reading, visit.url);
      const isKept = hasGained || (await this.willShow(visit));
      return isKept ? { fetched: body, result, rendered: renderedBy(shown), raw } : asIs;
    } finally {
      if (this.#setup.mode === "auto") await this.#gains.learn(visit.siteId, visit.url, showing, hasGained);
    }
  }

  async #showingOf({ siteId, url }: Visit, { sight, looksScripted }: Reading): Promise<Showing> {
    if (this.#setup.mode !== "auto") return "render";
    if (!sight?.hasScripts) return "leave";
    return this.#gains.showing(siteId, url, looksScripted || sight.verdict === "script-shell");
  }

  /** Gained: a link in scope that was not there before, or a text that grew by a fifth. */
  #gainedBy(raw: Reading, shown: Reading, url: string): boolean {
    const [before, after] = [raw.sight?.letters ?? 0, shown.sight?.letters ?? 0];
    if (after >= GROWTH * before && after - before >= LEAST_GROWTH) return true;
    const known = new Set<string>();
    const had = readLinks(raw.links);
    for (let index = 0; index < had.count; index++) known.add(nameOf(had.hash(index)));
    const has = readLinks(shown.links);
    for (let index = 0; index < has.count; index++) {
      if (!known.has(nameOf(has.hash(index))) && has.url(index) !== url && this.#setup.scope(has.url(index)).ok) return true;
    }
    return false;
  }

  /** Renders with the first suitable engine that starts. */
  async #renderWith(host: string, tried: readonly EngineName[], url: string, document: Body | Turn): Promise<ShownBy | undefined> {
    for (;;) {
      const engine = await this.#choice.next(host, tried);
      if (engine === undefined) return undefined;
      try {
        return { engine, ...(await this.#render(engine, url, document)) };
      } catch (error) {
        // An engine that does not start (the user can fix that) is dropped while others are left; the last one's error is thrown.
        if (!(error instanceof Error) || !("hint" in error) || !this.#choice.drop(engine)) throw error;
      }
    }
  }

  async #render(engine: EngineName, url: string, document: Body | Turn): Promise<Rendered> {
    const { browsers, wantsPictures, signal } = this.#setup;
    this.#atWork += 1;
    renderingCounts(this.#setup.counters).shown += 1;
    try {
      return await browsers.render(engine, { url, document, refusal: this.#refusal, wantsPicture: wantsPictures }, signal);
    } finally {
      this.#atWork -= 1;
    }
  }

  /** Subresources obey robots.txt where its rules are known; documents of other origins are refused where they are not. */
  readonly #refusal = ({ url, kind }: PageRequest): string | undefined => {
    const { gate } = this.#setup;
    const refused = gate.foresee(url);
    if (refused) return refused.rule;
    return kind === "document" && !gate.knows(url) ? "its robots.txt is not known" : undefined;
  };
}

const nameOf = ({ hi, lo }: { hi: number; lo: number }) => `${hi} ${lo}`;

function renderedBy({ fetched, engine, picture }: Asked): RenderedBy | undefined {
  return engine === undefined || fetched.kind !== "body" ? undefined : { engine, picture: picture && pictureToKeep(picture) };
}

const pictureToKeep = ({ bytes, type, width, height }: Picture): PictureToKeep => ({
  body: { ...nameBody(bytes), data: bytes },
  type,
  width,
  height,
});

/** The answer is a block page or refusal instead of the page. A request to wait (429, Retry-After) is not one. */
function isWall(seen: Seen): boolean {
  const { fetched } = seen;
  if (fetched.kind === "refused") return fetched.by === "server";
  return readingOf(seen)?.sight?.verdict === "bot-wall";
}

/** True if the browser crashed, timed out or shows an empty page. */
function isBroken(seen: Seen): boolean {
  const { fetched } = seen;
  if (fetched.kind === "failed") return fetched.reason === "render.crash" || fetched.reason === "render.timeout";
  const reading = readingOf(seen);
  if (reading?.type !== "html") return false;
  const { sight, linkCount } = reading;
  return sight?.verdict === "script-shell" || (sight?.letters === 0 && linkCount === 0 && sight.hasScripts);
}

const readingOf = ({ result }: Seen): Reading | undefined => (result && "reading" in result ? result.reading : undefined);

const lettersOf = (seen: Seen) => readingOf(seen)?.sight?.letters ?? -1;

const better = (before: Seen, now: Seen): Seen => (lettersOf(now) > lettersOf(before) ? now : before);
