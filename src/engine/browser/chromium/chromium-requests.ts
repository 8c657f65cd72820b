import { setTimeout as sleep } from "node:timers/promises";
import type { CDPSession } from "playwright-core";
import {
  type Access,
  type Answer,
  bodyAnswer,
  classifyHead,
  credentialHeaders,
  makeFailure,
  readHead,
  utf8AsLatin1,
} from "../../fetch/index.ts";
import type { PageRequest } from "../engine.ts";
import type { RenderJob } from "../exit/render-job.ts";
import { CONTENT_POLICY, isRenderable, tooLargeAnswer } from "../page-document.ts";

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
interface RequestSent {
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
const droppedHeaders = new Set([
  "content-encoding",
  "content-length",
  "transfer-encoding",
  "content-disposition",
  "link",
  "refresh",
  "speculation-rules",
]);
const READ_BYTES = 64 * 1024;
/** Not every build of Chromium blocks pop-ups, and a new window sends requests before it can be intercepted. */
const SANDBOX_POLICY = "sandbox allow-scripts allow-same-origin allow-forms";

/**
 * Intercepts all requests of a Chromium tab until the current job permits or refuses them. Responses of documents are
 * read whole and judged.
 */
export class ChromiumRequests {
  readonly #session: CDPSession;
  readonly #mainFrame: string;
  readonly #setup: RequestsSetup;
  #areScriptsAllowed = true;
  /** Without a job, all requests are refused. */
  job: RenderJob | undefined;

  constructor(session: CDPSession, mainFrame: string, setup: RequestsSetup) {
    this.#session = session;
    this.#mainFrame = mainFrame;
    this.#setup = setup;
  }

  async listen(): Promise<void> {
    const session = this.#session;
    session.on("Fetch.requestPaused", (paused) => void this.#decideOnRequest(paused).catch(ignoreClosed));
    session.on("Network.requestWillBeSent", (sent) => void this.#onRequest(sent).catch(ignoreClosed));
    session.on("Network.dataReceived", ({ dataLength }) => this.#onData(dataLength));
    session.on("Network.loadingFinished", ({ requestId }) => this.job?.requestEnded(requestId));
    session.on("Network.loadingFailed", ({ requestId }) => this.job?.requestEnded(requestId));
    const patterns = [
      { urlPattern: "*", requestStage: "Request" },
      { urlPattern: "*", resourceType: "Document", requestStage: "Response" },
    ] as const;
    await Promise.all([session.send("Network.enable"), session.send("Fetch.enable", { patterns: [...patterns] })]);
  }

  async #onRequest({ requestId, type = "", frameId, request }: RequestSent): Promise<void> {
    this.job?.requestStarted(requestId, kinds.get(type));
    if (type !== "Document" || frameId !== this.#mainFrame) return;
    this.job?.startNavigation(request.url, request.method);
    await this.#stopScriptsIfTooBusy();
  }

  #onData(bytes: number): void {
    const { job } = this;
    if (!job || job.hasTooManyBytes) return;
    job.addBytes(bytes);
    if (job.hasTooManyBytes) void this.#session.send("Page.stopLoading").catch(ignoreClosed);
  }

  async #decideOnRequest(paused: Paused): Promise<void> {
    if (paused.responseStatusCode !== undefined) return this.#onResponse(paused, paused.responseStatusCode);
    if (paused.responseErrorReason !== undefined) return this.#continueRequest(paused);
    const { url, method } = paused.request;
    const kind = kindOf(paused);
    const permission = this.job?.permit({ url, method, kind, isMain: this.#isMain(paused) }) ?? "stop";
    if (permission === "give") return this.#supplyDocument(paused);
    if (permission === "go") return this.#sendWithCredentials(paused);
    await this.#stopScriptsIfTooBusy();
    return this.#refuse(paused);
  }

  /** Resets the state for the next page. */
  async reset(): Promise<void> {
    this.job = undefined;
    await this.#allowScripts(true);
  }

  async #stopScriptsIfTooBusy(): Promise<void> {
    if (this.job?.hasTooManyAttempts) await this.#allowScripts(false);
  }

  async #allowScripts(areScriptsAllowed: boolean): Promise<void> {
    if (this.#areScriptsAllowed === areScriptsAllowed) return;
    this.#areScriptsAllowed = areScriptsAllowed;
    await this.#session.send("Emulation.setScriptExecutionDisabled", { value: !areScriptsAllowed });
  }

  #isMain({ frameId, resourceType }: Paused): boolean {
    return frameId === this.#mainFrame && resourceType === "Document";
  }

  async #continueRequest({ requestId }: Paused): Promise<void> {
    await this.#session.send("Fetch.continueRequest", { requestId });
  }

  /** Adds the credentials for the origin. A redirect is intercepted again, without them. */
  async #sendWithCredentials(paused: Paused): Promise<void> {
    const { requestId, request } = paused;
    const { origin, pathname } = new URL(request.url);
    // Only for the page's own origin: a page of another site must not read content with these credentials.
    const isOwn = this.job !== undefined && new URL(this.job.renderRequest.url).origin === origin;
    const credentials = isOwn ? this.#setup.access?.credentialsFor(origin) : undefined;
    if (!credentials) return this.#continueRequest(paused);
    const addedHeaders = credentialHeaders(credentials, pathname, Date.now()).flatMap((name, at, all) =>
      at % 2 === 0 ? [{ name, value: all[at + 1]! }] : [],
    );
    const names = new Set(addedHeaders.map(({ name }) => name.toLowerCase()));
    const otherHeaders = Object.entries(request.headers).flatMap(([name, value]) =>
      names.has(name.toLowerCase()) ? [] : [{ name, value }],
    );
    await this.#session.send("Fetch.continueRequest", { requestId, headers: [...otherHeaders, ...addedHeaders] });
  }

  /** A refused document leaves the page as it is; other refused requests fail as blocked by the client. */
  async #refuse({ requestId, resourceType }: Paused): Promise<void> {
    await this.#session.send("Fetch.failRequest", { requestId, errorReason: resourceType === "Document" ? "Aborted" : "BlockedByClient" });
  }

  async #fulfil({ requestId }: Paused, responseCode: number, headers: readonly Header[], bytes: Buffer): Promise<void> {
    const kept = headers.filter(({ name }) => !droppedHeaders.has(name.toLowerCase()));
    const responseHeaders = [...kept, { name: "content-security-policy", value: `${SANDBOX_POLICY}; ${CONTENT_POLICY}` }];
    await this.#session.send("Fetch.fulfillRequest", { requestId, responseCode, responseHeaders, body: bytes.toString("base64") });
  }

  async #supplyDocument(paused: Paused): Promise<void> {
    const job = this.job!;
    const { document } = job.renderRequest;
    if (!("kind" in document)) throw new Error("no document to give");
    job.status = document.status;
    job.robotsTags = document.robotsTags;
    const type = { name: "content-type", value: document.contentType ?? "text/html" };
    await this.#fulfil(paused, document.status, [type], Buffer.from(document.bytes));
  }

  async #onResponse(paused: Paused, status: number): Promise<void> {
    const { job } = this;
    if (!job) return this.#refuse(paused);
    if (this.#isMain(paused)) return this.#answerDocument(paused, status, job);
    // The target of a frame's redirect is judged when it is requested.
    if (status >= 300 && status < 400) return this.#continueRequest(paused);
    const bytes = await this.#read(paused, job);
    return bytes === undefined ? this.#refuse(paused) : this.#fulfil(paused, status, paused.responseHeaders ?? [], bytes);
  }

  /** Shows the response only if it is a page: redirects are not followed, errors are not rendered. */
  async #answerDocument(paused: Paused, status: number, job: RenderJob): Promise<void> {
    const { responseHeaders = [] } = paused;
    const head = readHead(responseHeaders.flatMap(({ name, value }) => [name, utf8AsLatin1(value)]));
    const { document: turn, url } = job.renderRequest;
    job.status = status;
    job.robotsTags = head.robotsTags;
    const finishWith = (answer: Answer) => {
      job.finish(answer);
      return this.#refuse(paused);
    };
    const answer = "host" in turn ? classifyHead(status, head, { url, turn, accept: "page" }, this.#setup.types, Date.now()) : undefined;
    if (answer) return finishWith(answer);
    const bytes = (head.contentLength ?? 0) > this.#setup.maxBody ? undefined : await this.#read(paused, job);
    if (!bytes)
      return finishWith(
        Date.now() < job.documentDeadline ? tooLargeAnswer(status) : makeFailure("timeout", "document not finished in time", { status }),
      );
    job.wireBytes = bytes.length;
    if (!isRenderable(head.contentType)) return finishWith(bodyAnswer(status, head, Uint8Array.from(bytes), bytes.length));
    return this.#fulfil(paused, status, responseHeaders, bytes);
  }

  /** Undefined if the body is too large or takes too long. */
  async #read({ requestId }: Paused, { documentDeadline }: RenderJob): Promise<Buffer | undefined> {
    const { stream: handle } = await this.#session.send("Fetch.takeResponseBodyAsStream", { requestId });
    const parts: Buffer[] = [];
    let size = 0;
    for (;;) {
      // Resolves when a part of this size has been read, or at the end.
      const read = this.#session.send("IO.read", { handle, size: READ_BYTES });
      const chunk = await Promise.race([read, sleep(documentDeadline - Date.now(), undefined, { ref: false })]);
      if (!chunk) return void read.catch(ignoreClosed);
      const part = Buffer.from(chunk.data, chunk.base64Encoded ? "base64" : "utf8");
      parts.push(part);
      size += part.length;
      if (size > this.#setup.maxBody) return undefined;
      if (chunk.eof) return Buffer.concat(parts);
    }
  }
}

/** Event streams count as data requests, and so do prefetches; both are refused. */
function kindOf({ resourceType, request }: Paused): PageRequest["kind"] | undefined {
  const isNotNeeded = /text\/event-stream/i.test(request.headers.Accept ?? "") || request.headers["Sec-Purpose"] !== undefined;
  return isNotNeeded ? undefined : kinds.get(resourceType);
}

/** Commands to a tab that is being closed may fail. */
function ignoreClosed(error: Error): void {
  if (!/closed|crashed|Invalid InterceptionId|Invalid state|not found/i.test(error.message)) throw error;
}
