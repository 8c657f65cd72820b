import { hostOf } from "../../../analysis/url/index.ts";
import { type Answer, classifyError, markTurnSpent } from "../../fetch/index.ts";
import type { PageRequest, RenderRequest } from "../engine.ts";
import type { ExitProxy } from "./exit-proxy.ts";

/** A request that a browser is about to make for a page. */
export interface BrowserRequest {
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
const MAX_REQUESTS = 200;
/** Limit for all subrequests of a page. */
const MAX_BYTES = 50 * 1024 ** 2;
const MAX_TARGETS = 20;
/** With this many refused requests or attempted navigations, the page is not loading content any more. */
const MAX_REFUSED = 300;
const MAX_NAVIGATIONS = 10;
/** A data request open for longer than this counts as a stream, and the page is not kept waiting for it. */
const STREAM_AFTER_MS = 3_000;

/** One page on its way through a browser: its permissions, its open requests, and its result. */
export class RenderJob {
  readonly renderRequest: RenderRequest;
  readonly startedAt = Date.now();
  /** Deadlines: for the document, for reading the page whether it is at rest or not, and for the end. */
  readonly documentDeadline = this.startedAt + 15_000;
  readonly readDeadline = this.startedAt + 22_000;
  readonly endDeadline = this.startedAt + 30_000;
  /** URLs that the page tried to navigate to. */
  readonly targets = new Set<string>();
  /** Resolves when there is nothing more to wait for: the page moved, is gone, is too large, or its browser crashed. */
  readonly finalAnswer: Promise<Answer>;
  requests = 0;
  refused = 0;
  /** The status of the document, once its head was received. */
  status: number | undefined;
  robotsTags: readonly string[] = [];
  /** Bytes of the document as received. */
  wireBytes = 0;
  /** A page that navigates before it first came to rest counts as moved. */
  wasStable = false;
  readonly #exitProxy: ExitProxy;
  readonly #host: string;
  readonly #openedHosts = new Map<string, () => void>();
  readonly #openRequests = new Map<string, { readonly since: number; readonly kind: PageRequest["kind"] }>();
  #finish: (answer: Answer) => void = () => undefined;
  #isDocumentRequested = false;
  #navigations = 0;
  #bytes = 0;

  constructor(renderRequest: RenderRequest, exitProxy: ExitProxy) {
    this.renderRequest = renderRequest;
    this.#exitProxy = exitProxy;
    this.#host = hostOf(renderRequest.url);
    this.finalAnswer = new Promise((resolve) => {
      this.#finish = resolve;
    });
  }

  /** Whether the browser has requested the document. */
  get isDocumentRequested(): boolean {
    return this.#isDocumentRequested;
  }

  get hostAndPort(): string {
    return hostAndPortOf(this.renderRequest.url);
  }

  get hasTooManyBytes(): boolean {
    return this.#bytes > MAX_BYTES;
  }

  /** Whether the page only keeps its browser busy; its scripts are then stopped. */
  get hasTooManyAttempts(): boolean {
    return this.refused > MAX_REFUSED || this.#navigations > MAX_NAVIGATIONS;
  }

  /** Whether a request is open that the page may be waiting for. */
  get isBusy(): boolean {
    const streamStart = Date.now() - STREAM_AFTER_MS;
    for (const { since, kind } of this.#openRequests.values()) if (kind !== "data" || since > streamStart) return true;
    return false;
  }

  /**
   * Only the first result counts. A browser reports a refusal of the exit as a response of the server, so the exit's own
   * error takes precedence.
   */
  finish(answer: Answer): void {
    const isFromExit = "status" in answer && (answer.status === 403 || answer.status === 502);
    const exitError = isFromExit ? this.#exitProxy.lastErrorAt(this.hostAndPort) : undefined;
    this.#finish(exitError ? classifyError(exitError, "connect", undefined, false) : answer);
  }

  permit(request: BrowserRequest): Permission {
    const permission = request.isMain ? this.#permitMain(request) : this.#permitSubrequest(request);
    if (permission === "stop") this.refused += 1;
    if (permission !== "go") return permission;
    this.requests += 1;
    for (const hostOrUrl of [hostAndPortOf(request.url), withoutFragment(new URL(request.url).href)])
      if (!this.#openedHosts.has(hostOrUrl)) this.#openedHosts.set(hostOrUrl, this.#exitProxy.open(hostOrUrl));
    return permission;
  }

  requestStarted(id: string, kind: PageRequest["kind"] | undefined): void {
    if (kind !== undefined) this.#openRequests.set(id, { since: Date.now(), kind });
  }

  /** The page starts to navigate, including to its first document. */
  startNavigation(url: string, method: string): void {
    this.#navigations += 1;
    this.recordNavigation(url, method);
  }

  /** A script navigates, or changes the document's URL. */
  recordNavigation(url: string, method: string): void {
    if (method !== "GET" || !/^https?:/i.test(url) || withoutFragment(url) === withoutFragment(this.renderRequest.url)) return;
    if (this.targets.size < MAX_TARGETS) this.targets.add(url);
  }

  addBytes(bytes: number): void {
    this.#bytes += bytes;
  }

  requestEnded(id: string): void {
    this.#openRequests.delete(id);
  }

  /** Closes what was opened at the exit for this page. */
  close(): void {
    for (const closeHost of this.#openedHosts.values()) closeHost();
    this.#openedHosts.clear();
  }

  #permitMain({ url, method }: BrowserRequest): Permission {
    if (this.#isDocumentRequested) {
      this.recordNavigation(url, method);
      return "stop";
    }
    this.#isDocumentRequested = true;
    const { document } = this.renderRequest;
    if ("kind" in document) return "give";
    markTurnSpent({ url: this.renderRequest.url, turn: document, accept: "page" });
    return "go";
  }

  #permitSubrequest({ url, method, kind }: BrowserRequest): Permission {
    if (method !== "GET" || kind === undefined || this.requests >= MAX_REQUESTS || this.hasTooManyBytes || !/^https?:/i.test(url))
      return "stop";
    if (kind === "image" && !this.renderRequest.wantsPicture) return "stop";
    // A document of another host would need a turn of that host.
    if (kind === "document" && hostOf(url) !== this.#host) return "stop";
    return this.renderRequest.refusal({ url, kind }) === undefined ? "go" : "stop";
  }
}

const withoutFragment = (url: string) => url.replace(/#.*$/s, "");

function hostAndPortOf(url: string): string {
  const { hostname, port, protocol } = new URL(url);
  return `${hostname}:${port || (protocol === "https:" ? 443 : 80)}`;
}
