import { setTimeout as sleep } from "node:timers/promises";
import type { CDPSession } from "playwright-core";
import { type Access, type Answer, asWritten, bodyOf, failed, judge, readHead, sentAlong } from "../fetch/index.ts";
import type { PageRequest } from "./engine.ts";
import type { Errand } from "./errand.ts";
import { isShown, LOCKS, tooLarge } from "./page-document.ts";

export interface RequestsSetup {
  readonly maxBody: number;
  /** Content types that are read as pages. */
  readonly types: ReadonlySet<string>;
  /** Credentials, proxies and trusted certificates. */
  readonly access: Access | undefined;
}

/** A paused request, or its paused response. */
interface Paused {
  readonly requestId: string;
  readonly request: { readonly url: string; readonly method: string; readonly headers: Readonly<Record<string, string>> };
  readonly frameId: string;
  readonly resourceType: string;
  readonly responseStatusCode?: number;
  readonly responseErrorReason?: string;
  readonly responseHeaders?: readonly Header[];
}
/** A request as reported by the network events, paused or not. */
interface Begun {
  readonly requestId: string;
  readonly type?: string;
  readonly frameId?: string;
  readonly request: { readonly url: string; readonly method: string };
}
interface Header {
  readonly name: string;
  readonly value: string;
}

const kinds: ReadonlyMap<string, PageRequest["kind"]> = new Map([
  ["Document", "document"],
  ["Script", "script"],
  ["Stylesheet", "style"],
  ["XHR", "data"],
  ["Fetch", "data"],
  ["Image", "image"],
]);
/**
 * Headers that are valid only for the original response, not for the fulfilled one, or that make the browser fetch or
 * navigate elsewhere.
 */
const ofTheWire = new Set([
  "content-encoding",
  "content-length",
  "transfer-encoding",
  "content-disposition",
  "link",
  "refresh",
  "speculation-rules",
]);
const PART = 64 * 1024;
/** Not every build of Chromium blocks pop-ups, and a new window sends requests before it can be intercepted. */
const NO_WINDOWS = "sandbox allow-scripts allow-same-origin allow-forms";

/**
 * Intercepts all requests of a Chromium tab until the current errand permits or refuses them. Responses of documents are
 * read whole and judged.
 */
export class ChromiumRequests {
  readonly #line: CDPSession;
  readonly #mainFrame: string;
  readonly #setup: RequestsSetup;
  #areAllowed = true;
  /** Without an errand, all requests are refused. */
  errand: Errand | undefined;

  constructor(line: CDPSession, mainFrame: string, setup: RequestsSetup) {
    this.#line = line;
    this.#mainFrame = mainFrame;
    this.#setup = setup;
  }

  async listen(): Promise<void> {
    const line = this.#line;
    line.on("Fetch.requestPaused", (paused) => void this.#decide(paused).catch(ignoreClosed));
    line.on("Network.requestWillBeSent", (sent) => void this.#began(sent).catch(ignoreClosed));
    line.on("Network.dataReceived", ({ dataLength }) => this.#heard(dataLength));
    line.on("Network.loadingFinished", ({ requestId }) => this.errand?.ended(requestId));
    line.on("Network.loadingFailed", ({ requestId }) => this.errand?.ended(requestId));
    const patterns = [
      { urlPattern: "*", requestStage: "Request" },
      { urlPattern: "*", resourceType: "Document", requestStage: "Response" },
    ] as const;
    await Promise.all([line.send("Network.enable"), line.send("Fetch.enable", { patterns: [...patterns] })]);
  }

  async #began({ requestId, type = "", frameId, request }: Begun): Promise<void> {
    this.errand?.began(requestId, kinds.get(type));
    if (type !== "Document" || frameId !== this.#mainFrame) return;
    this.errand?.setOut(request.url, request.method);
    await this.#calmStorm();
  }

  #heard(bytes: number): void {
    const { errand } = this;
    if (!errand || errand.hasEnough) return;
    errand.got(bytes);
    if (errand.hasEnough) void this.#line.send("Page.stopLoading").catch(ignoreClosed);
  }

  async #decide(paused: Paused): Promise<void> {
    if (paused.responseStatusCode !== undefined) return this.#answered(paused, paused.responseStatusCode);
    if (paused.responseErrorReason !== undefined) return this.#pass(paused);
    const { url, method } = paused.request;
    const kind = kindOf(paused);
    const permission = this.errand?.permit({ url, method, kind, isMain: this.#isMain(paused) }) ?? "stop";
    if (permission === "give") return this.#give(paused);
    if (permission === "go") return this.#send(paused);
    await this.#calmStorm();
    return this.#refuse(paused);
  }

  /** Resets the state for the next page. */
  async calm(): Promise<void> {
    this.errand = undefined;
    await this.#allowScripts(true);
  }

  async #calmStorm(): Promise<void> {
    if (this.errand?.isStorming) await this.#allowScripts(false);
  }

  async #allowScripts(areAllowed: boolean): Promise<void> {
    if (this.#areAllowed === areAllowed) return;
    this.#areAllowed = areAllowed;
    await this.#line.send("Emulation.setScriptExecutionDisabled", { value: !areAllowed });
  }

  #isMain({ frameId, resourceType }: Paused): boolean {
    return frameId === this.#mainFrame && resourceType === "Document";
  }

  async #pass({ requestId }: Paused): Promise<void> {
    await this.#line.send("Fetch.continueRequest", { requestId });
  }

  /** Adds the credentials for the origin. A redirect is intercepted again, without them. */
  async #send(paused: Paused): Promise<void> {
    const { requestId, request } = paused;
    const { origin, pathname } = new URL(request.url);
    // Only for the page's own origin: a page of another site must not read content with these credentials.
    const isOwn = this.errand !== undefined && new URL(this.errand.ask.url).origin === origin;
    const credentials = isOwn ? this.#setup.access?.credentialsFor(origin) : undefined;
    if (!credentials) return this.#pass(paused);
    const given = sentAlong(credentials, pathname, Date.now()).flatMap((name, at, all) =>
      at % 2 === 0 ? [{ name, value: all[at + 1]! }] : [],
    );
    const names = new Set(given.map(({ name }) => name.toLowerCase()));
    const own = Object.entries(request.headers).flatMap(([name, value]) => (names.has(name.toLowerCase()) ? [] : [{ name, value }]));
    await this.#line.send("Fetch.continueRequest", { requestId, headers: [...own, ...given] });
  }

  /** A refused document leaves the page as it is; other refused requests fail as blocked by the client. */
  async #refuse({ requestId, resourceType }: Paused): Promise<void> {
    await this.#line.send("Fetch.failRequest", { requestId, errorReason: resourceType === "Document" ? "Aborted" : "BlockedByClient" });
  }

  async #fulfil({ requestId }: Paused, responseCode: number, headers: readonly Header[], bytes: Buffer): Promise<void> {
    const kept = headers.filter(({ name }) => !ofTheWire.has(name.toLowerCase()));
    const responseHeaders = [...kept, { name: "content-security-policy", value: `${NO_WINDOWS}; ${LOCKS}` }];
    await this.#line.send("Fetch.fulfillRequest", { requestId, responseCode, responseHeaders, body: bytes.toString("base64") });
  }

  async #give(paused: Paused): Promise<void> {
    const errand = this.errand!;
    const { document } = errand.ask;
    if (!("kind" in document)) throw new Error("no document to give");
    errand.status = document.status;
    errand.robotsTags = document.robotsTags;
    const type = { name: "content-type", value: document.contentType ?? "text/html" };
    await this.#fulfil(paused, document.status, [type], Buffer.from(document.bytes));
  }

  async #answered(paused: Paused, status: number): Promise<void> {
    const { errand } = this;
    if (!errand) return this.#refuse(paused);
    if (this.#isMain(paused)) return this.#judge(paused, status, errand);
    // The target of a frame's redirect is judged when it is requested.
    if (status >= 300 && status < 400) return this.#pass(paused);
    const bytes = await this.#read(paused, errand);
    return bytes === undefined ? this.#refuse(paused) : this.#fulfil(paused, status, paused.responseHeaders ?? [], bytes);
  }

  /** Shows the response only if it is a page: redirects are not followed, errors are not rendered. */
  async #judge(paused: Paused, status: number, errand: Errand): Promise<void> {
    const { responseHeaders = [] } = paused;
    const head = readHead(responseHeaders.flatMap(({ name, value }) => [name, asWritten(value)]));
    const { document: turn, url } = errand.ask;
    errand.status = status;
    errand.robotsTags = head.robotsTags;
    const end = (answer: Answer) => {
      errand.finish(answer);
      return this.#refuse(paused);
    };
    const answer = "host" in turn ? judge(status, head, { url, turn, accept: "page" }, this.#setup.types, Date.now()) : undefined;
    if (answer) return end(answer);
    const bytes = (head.contentLength ?? 0) > this.#setup.maxBody ? undefined : await this.#read(paused, errand);
    if (!bytes) return end(Date.now() < errand.openBy ? tooLarge(status) : failed("timeout", "document not finished in time", { status }));
    errand.wireBytes = bytes.length;
    if (!isShown(head.contentType)) return end(bodyOf(status, head, Uint8Array.from(bytes), bytes.length));
    return this.#fulfil(paused, status, responseHeaders, bytes);
  }

  /** Undefined if the body is too large or takes too long. */
  async #read({ requestId }: Paused, { openBy }: Errand): Promise<Buffer | undefined> {
    const { stream: handle } = await this.#line.send("Fetch.takeResponseBodyAsStream", { requestId });
    const parts: Buffer[] = [];
    let size = 0;
    for (;;) {
      // Resolves when a part of this size has been read, or at the end.
      const read = this.#line.send("IO.read", { handle, size: PART });
      const got = await Promise.race([read, sleep(openBy - Date.now(), undefined, { ref: false })]);
      if (!got) return void read.catch(ignoreClosed);
      const part = Buffer.from(got.data, got.base64Encoded ? "base64" : "utf8");
      parts.push(part);
      size += part.length;
      if (size > this.#setup.maxBody) return undefined;
      if (got.eof) return Buffer.concat(parts);
    }
  }
}

/** Event streams count as data requests, and so do prefetches; both are refused. */
function kindOf({ resourceType, request }: Paused): PageRequest["kind"] | undefined {
  const isForLater = /text\/event-stream/i.test(request.headers.Accept ?? "") || request.headers["Sec-Purpose"] !== undefined;
  return isForLater ? undefined : kinds.get(resourceType);
}

/** Commands to a tab that is being closed may fail. */
function ignoreClosed(error: Error): void {
  if (!/closed|crashed|Invalid InterceptionId|Invalid state|not found/i.test(error.message)) throw error;
}
