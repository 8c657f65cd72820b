import type { Page, Request, Response, Route } from "playwright-core";
import { type Answer, bodyAnswer, classifyHead, credentialHeaders, readHead, utf8AsLatin1 } from "../../fetch/index.ts";
import type { RequestsSetup } from "../chromium/chromium-requests.ts";
import type { PageRequest } from "../engine.ts";
import type { RenderJob } from "../exit/render-job.ts";
import { CONTENT_POLICY, isRenderable, tooLargeAnswer } from "../page-document.ts";
import { type HeldResponse, holdResponses } from "./firefox-responses.ts";

const kinds: ReadonlyMap<string, PageRequest["kind"]> = new Map([
  ["document", "document"],
  ["script", "script"],
  ["stylesheet", "style"],
  ["xhr", "data"],
  ["fetch", "data"],
  ["image", "image"],
]);

/** Request destinations by the Fetch standard. */
const destinations: ReadonlyMap<string, PageRequest["kind"]> = new Map([
  ["iframe", "document"],
  ["frame", "document"],
  ["script", "script"],
  ["style", "style"],
  ["", "data"],
  ["image", "image"],
]);
const redirectStatuses = new Set([301, 302, 303, 307, 308]);

/**
 * The requests of a tab, through Playwright, and their responses. If responses cannot be held, redirects are reported only
 * after they were followed: one to another host waits at the exit until it is permitted, one on the same host costs a request.
 */
export class FirefoxRequests {
  readonly #page: Page;
  readonly #setup: RequestsSetup;
  readonly #requestIds = new WeakMap<Request, string>();
  #count = 0;
  #holdsResponses = false;
  /** Without a job, all requests are refused. */
  job: RenderJob | undefined;

  constructor(page: Page, setup: RequestsSetup) {
    this.#page = page;
    this.#setup = setup;
  }

  async listen(): Promise<void> {
    const page = this.#page;
    page.on("request", (request) => this.#onRequest(request));
    page.on("response", (response) => void this.#onResponse(response).catch(ignoreClosed));
    page.on("requestfinished", (request) => this.job?.requestEnded(this.#idOf(request)));
    page.on("requestfailed", (request) => this.job?.requestEnded(this.#idOf(request)));
    page.on("popup", (popup) => void popup.close().catch(ignoreClosed));
    await page.route("**/*", (route) => this.#decide(route).catch(ignoreClosed));
    this.#holdsResponses = await holdResponses(page, (answer) => this.#decideOnResponse(answer));
  }

  #idOf(request: Request): string {
    const known = this.#requestIds.get(request);
    if (known !== undefined) return known;
    this.#count += 1;
    this.#requestIds.set(request, String(this.#count));
    return String(this.#count);
  }

  #isMain(request: Request): boolean {
    return request.isNavigationRequest() && request.frame() === this.#page.mainFrame();
  }

  #requestInfo(request: Request) {
    const kind = kinds.get(request.resourceType());
    return { url: request.url(), method: request.method(), kind, isMain: this.#isMain(request) };
  }

  async #decide(route: Route): Promise<void> {
    const { job } = this;
    const permission = job?.permit(this.#requestInfo(route.request())) ?? "stop";
    if (permission === "go") return route.continue(this.#withCredentials(route.request(), job!));
    if (permission === "stop" || !job || !("kind" in job.renderRequest.document)) return route.abort("aborted");
    const { status, contentType, bytes, robotsTags } = job.renderRequest.document;
    job.status = status;
    job.robotsTags = robotsTags;
    const headers = { "content-type": contentType ?? "text/html", "content-security-policy": CONTENT_POLICY };
    return route.fulfill({ status, headers, body: Buffer.from(bytes) });
  }

  /**
   * The credentials for an origin, only for requests of its own pages: a page of another site must not read content with
   * them. Playwright repeats headers after a redirect, so they are sent only if responses can be held.
   */
  #addedHeaders(url: string, { renderRequest }: RenderJob): string[] {
    const { origin, pathname } = new URL(url);
    const isOwn = this.#holdsResponses && new URL(renderRequest.url).origin === origin;
    const credentials = isOwn ? this.#setup.access?.credentialsFor(origin) : undefined;
    return credentials ? credentialHeaders(credentials, pathname, Date.now()) : [];
  }

  #withCredentials(request: Request, job: RenderJob): { headers: Record<string, string> } | undefined {
    const addedHeaders = this.#addedHeaders(request.url(), job);
    if (addedHeaders.length === 0) return undefined;
    const headers = new Map(Object.entries(request.headers()));
    for (let at = 0; at + 1 < addedHeaders.length; at += 2) headers.set(addedHeaders[at]!.toLowerCase(), addedHeaders[at + 1]!);
    return { headers: Object.fromEntries(headers) };
  }

  #onRequest(request: Request): void {
    const { job } = this;
    const requestInfo = this.#requestInfo(request);
    job?.requestStarted(this.#idOf(request), requestInfo.kind);
    if (requestInfo.isMain) job?.startNavigation(requestInfo.url, requestInfo.method);
    const from = request.redirectedFrom();
    if (!job || from === null) return;
    job.requestEnded(this.#idOf(from));
    if (requestInfo.isMain) job.finish({ kind: "moved", status: job.status ?? 302, location: requestInfo.url.replace(/#.*$/s, "") });
    else if (!this.#holdsResponses) job.permit(requestInfo);
  }

  /** Shows a document only if it is a page; judges the target of a redirect before it is followed. */
  #decideOnResponse(answer: HeldResponse): "go" | "stop" {
    const { job } = this;
    if (!job) return "stop";
    const head = readHead(answer.headerLines);
    if (answer.isMain) return this.#finishIfNotPage(answer.status, head, job) === undefined ? "go" : "stop";
    const location = Buffer.from(head.location ?? "", "latin1").toString();
    if (!redirectStatuses.has(answer.status) || location === "" || !URL.canParse(location, answer.url)) return "go";
    const url = new URL(location, answer.url).href;
    if (this.#addedHeaders(answer.url, job).length > 0 && new URL(url).origin !== new URL(answer.url).origin) return "stop";
    const kind = destinations.get(answer.destination);
    return job.permit({ url, method: answer.method, kind, isMain: false }) === "go" ? "go" : "stop";
  }

  /** Finishes the page if its head shows that there is nothing to render. */
  #finishIfNotPage(status: number, head: ReturnType<typeof readHead>, job: RenderJob): Answer | undefined {
    const { document: turn, url } = job.renderRequest;
    if (!("host" in turn)) return undefined;
    job.status = status;
    job.robotsTags = head.robotsTags;
    const isTooLong = (head.contentLength ?? 0) > this.#setup.maxBody;
    const answer =
      classifyHead(status, head, { url, turn, accept: "page" }, this.#setup.types, Date.now()) ??
      (isTooLong ? tooLargeAnswer(status) : undefined);
    if (answer) job.finish(answer);
    return answer;
  }

  async #onResponse(response: Response): Promise<void> {
    const { job } = this;
    if (!job) return;
    job.addBytes(Number(response.headers()["content-length"] ?? 0) || 0);
    if (!this.#isMain(response.request()) || !("host" in job.renderRequest.document)) return;
    const raw = await response.headersArray();
    const head = readHead(raw.flatMap(({ name, value }) => [name, utf8AsLatin1(value)]));
    if (this.#finishIfNotPage(response.status(), head, job) || isRenderable(head.contentType)) return;
    job.finish(await this.#wholeBody(response, head));
  }

  /** Documents that need no browser are returned as received. */
  async #wholeBody(response: Response, head: ReturnType<typeof readHead>): Promise<Answer> {
    const status = response.status();
    const bytes = await response.body();
    return bytes.length > this.#setup.maxBody ? tooLargeAnswer(status) : bodyAnswer(status, head, Uint8Array.from(bytes), bytes.length);
  }
}

/** Commands to a tab that is being closed may fail. */
function ignoreClosed(error: Error): void {
  if (!/closed|crashed|no such|already handled|disposed/i.test(error.message)) throw error;
}
