import { type Answer, classify, spend } from "../fetch/index.ts";
import { hostOf } from "../url/index.ts";
import type { PageRequest, RenderAsk } from "./engine.ts";
import type { Exit } from "./exit.ts";

/** A request that a browser is about to make for a page. */
export interface Asked {
  readonly url: string;
  readonly method: string;
  /** Undefined for what no page needs to be read. */
  readonly kind: PageRequest["kind"] | undefined;
  /** For the document of the page itself. */
  readonly isMain: boolean;
}

/** `give`: the document is at hand. */
export type Permission = "give" | "go" | "stop";

/** A page that asks for more is not waiting for its content. */
const MOST_REQUESTS = 200;
/** For all that a page asks for besides its document. */
const MOST_BYTES = 50 * 1024 ** 2;
const MOST_TARGETS = 20;
/** So many requests that were refused, or ways out of the page, are no content in the making. */
const MOST_REFUSED = 300;
const MOST_WAYS_OUT = 10;
/** Data that is on its way for longer is a stream, and no page waits for the end of it. */
const STREAM_AFTER = 3_000;

/** One page on its way through a browser: what it may ask for, what is under way, and what is known of its end. */
export class Errand {
  readonly ask: RenderAsk;
  readonly startedAt = Date.now();
  /** By then its document must be there; by then it is taken as it stands, at rest or not; and by then it is over. */
  readonly openBy = this.startedAt + 15_000;
  readonly restBy = this.startedAt + 22_000;
  readonly endBy = this.startedAt + 30_000;
  /** Where the page wanted to go by itself. */
  readonly targets = new Set<string>();
  /** Resolves when there is nothing more to wait for: the page is somewhere else, gone, too large, or its browser has died. */
  readonly over: Promise<Answer>;
  requests = 0;
  refused = 0;
  /** Of the document, once its head has come. */
  status: number | undefined;
  robotsTags: readonly string[] = [];
  /** Bytes of the document as they came. */
  wireBytes = 0;
  /** Until it has come to rest once, a page that goes elsewhere has moved. */
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

  /** Whether its browser has come to ask for the document. */
  get isOpened(): boolean {
    return this.#isOpened;
  }

  get place(): string {
    return placeOf(this.ask.url);
  }

  get hasEnough(): boolean {
    return this.#bytes > MOST_BYTES;
  }

  /** Whether the page only keeps its browser busy: then its scripts have had their time. */
  get isStorming(): boolean {
    return this.refused > MOST_REFUSED || this.#waysOut > MOST_WAYS_OUT;
  }

  /** Whether something is on its way that the page may be waiting for. */
  get isBusy(): boolean {
    const streams = Date.now() - STREAM_AFTER;
    for (const { since, kind } of this.#flying.values()) if (kind !== "data" || since > streams) return true;
    return false;
  }

  /** Only the first end counts. A browser takes a refusal of the exit for one of the server, and the exit knows better. */
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

  /** The page has set out for another document, its first one included. */
  setOut(url: string, method: string): void {
    this.#waysOut += 1;
    this.left(url, method);
  }

  /** A script that goes elsewhere, or says that it has. */
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

  /** What was opened for it is closed. */
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
