import { type Answer, classify, spend } from "../fetch/index.ts";
import { hostOf } from "../url/index.ts";
import type { PageRequest, RenderAsk } from "./engine.ts";
import type { Exit } from "./exit.ts";

/** A request that a browser is about to make for a page. */
export interface Asked {
  readonly url: string;
  readonly method: string;
  /** Undefined for kinds of requests that are not needed to read a page. */
  readonly kind: PageRequest["kind"] | undefined;
  /** True for the page's own document. */
  readonly isMain: boolean;
}

/** `give`: the document is already fetched and is supplied to the browser. */
export type Permission = "give" | "go" | "stop";

/** Limit per page; further requests do not contribute to its content. */
const MOST_REQUESTS = 200;
/** Limit for all subrequests of a page. */
const MOST_BYTES = 50 * 1024 ** 2;
const MOST_TARGETS = 20;
/** With this many refused requests or attempted navigations, the page is not loading content any more. */
const MOST_REFUSED = 300;
const MOST_WAYS_OUT = 10;
/** A data request open for longer than this counts as a stream, and the page is not kept waiting for it. */
const STREAM_AFTER = 3_000;

/** One page on its way through a browser: its permissions, its open requests, and its result. */
export class Errand {
  readonly ask: RenderAsk;
  readonly startedAt = Date.now();
  /** Deadlines: for the document, for reading the page whether it is at rest or not, and for the end. */
  readonly openBy = this.startedAt + 15_000;
  readonly restBy = this.startedAt + 22_000;
  readonly endBy = this.startedAt + 30_000;
  /** URLs that the page tried to navigate to. */
  readonly targets = new Set<string>();
  /** Resolves when there is nothing more to wait for: the page moved, is gone, is too large, or its browser crashed. */
  readonly over: Promise<Answer>;
  requests = 0;
  refused = 0;
  /** The status of the document, once its head was received. */
  status: number | undefined;
  robotsTags: readonly string[] = [];
  /** Bytes of the document as received. */
  wireBytes = 0;
  /** A page that navigates before it first came to rest counts as moved. */
  isAtRest = false;
  readonly #exit: Exit;
  readonly #host: string;
  readonly #given = new Map<string, () => void>();
  readonly #flying = new Map<string, { readonly since: number; readonly kind: PageRequest["kind"] }>();
  #finish: (answer: Answer) => void = () => undefined;
  #isOpened = false;
  #waysOut = 0;
  #bytes = 0;

  constructor(ask: RenderAsk, exit: Exit) {
    this.ask = ask;
    this.#exit = exit;
    this.#host = hostOf(ask.url);
    this.over = new Promise((resolve) => {
      this.#finish = resolve;
    });
  }

  /** Whether the browser has requested the document. */
  get isOpened(): boolean {
    return this.#isOpened;
  }

  get place(): string {
    return placeOf(this.ask.url);
  }

  get hasEnough(): boolean {
    return this.#bytes > MOST_BYTES;
  }

  /** Whether the page only keeps its browser busy; its scripts are then stopped. */
  get isStorming(): boolean {
    return this.refused > MOST_REFUSED || this.#waysOut > MOST_WAYS_OUT;
  }

  /** Whether a request is open that the page may be waiting for. */
  get isBusy(): boolean {
    const streams = Date.now() - STREAM_AFTER;
    for (const { since, kind } of this.#flying.values()) if (kind !== "data" || since > streams) return true;
    return false;
  }

  /**
   * Only the first result counts. A browser reports a refusal of the exit as a response of the server, so the exit's own
   * error takes precedence.
   */
  finish(answer: Answer): void {
    const isFromExit = "status" in answer && (answer.status === 403 || answer.status === 502);
    const trouble = isFromExit ? this.#exit.troubleAt(this.place) : undefined;
    this.#finish(trouble ? classify(trouble, "connect", undefined, false) : answer);
  }

  permit(asked: Asked): Permission {
    const permission = asked.isMain ? this.#permitMain(asked) : this.#permitPart(asked);
    if (permission === "stop") this.refused += 1;
    if (permission !== "go") return permission;
    this.requests += 1;
    for (const way of [placeOf(asked.url), bare(new URL(asked.url).href)])
      if (!this.#given.has(way)) this.#given.set(way, this.#exit.open(way));
    return permission;
  }

  began(id: string, kind: PageRequest["kind"] | undefined): void {
    if (kind !== undefined) this.#flying.set(id, { since: Date.now(), kind });
  }

  /** The page starts to navigate, including to its first document. */
  setOut(url: string, method: string): void {
    this.#waysOut += 1;
    this.left(url, method);
  }

  /** A script navigates, or changes the document's URL. */
  left(url: string, method: string): void {
    if (method !== "GET" || !/^https?:/i.test(url) || bare(url) === bare(this.ask.url)) return;
    if (this.targets.size < MOST_TARGETS) this.targets.add(url);
  }

  got(bytes: number): void {
    this.#bytes += bytes;
  }

  ended(id: string): void {
    this.#flying.delete(id);
  }

  /** Closes what was opened at the exit for this page. */
  close(): void {
    for (const giveBack of this.#given.values()) giveBack();
    this.#given.clear();
  }

  #permitMain({ url, method }: Asked): Permission {
    if (this.#isOpened) {
      this.left(url, method);
      return "stop";
    }
    this.#isOpened = true;
    const { document } = this.ask;
    if ("kind" in document) return "give";
    spend({ url: this.ask.url, turn: document, accept: "page" });
    return "go";
  }

  #permitPart({ url, method, kind }: Asked): Permission {
    if (method !== "GET" || kind === undefined || this.requests >= MOST_REQUESTS || this.hasEnough || !/^https?:/i.test(url)) return "stop";
    if (kind === "image" && !this.ask.wantsPicture) return "stop";
    // A document of another host would need a turn of that host.
    if (kind === "document" && hostOf(url) !== this.#host) return "stop";
    return this.ask.refusal({ url, kind }) === undefined ? "go" : "stop";
  }
}

const bare = (url: string) => url.replace(/#.*$/s, "");

function placeOf(url: string): string {
  const { hostname, port, protocol } = new URL(url);
  return `${hostname}:${port || (protocol === "https:" ? 443 : 80)}`;
}
