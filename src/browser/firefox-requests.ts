import type { Page, Request, Response, Route } from "playwright-core";
import { type Answer, asWritten, bodyOf, judge, readHead, sentAlong } from "../fetch/index.ts";
import type { RequestsSetup } from "./chromium-requests.ts";
import type { PageRequest } from "./engine.ts";
import type { Errand } from "./errand.ts";
import { type HeldAnswer, holdAnswers } from "./firefox-answers.ts";
import { isShown, LOCKS, tooLarge } from "./page-document.ts";

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
const leading = new Set([301, 302, 303, 307, 308]);

/**
 * The requests of a tab, through Playwright, and their responses. If responses cannot be held, redirects are reported only
 * after they were followed: one to another host waits at the exit until it is permitted, one on the same host costs a request.
 */
export class FirefoxRequests {
  readonly #page: Page;
  readonly #setup: RequestsSetup;
  readonly #names = new WeakMap<Request, string>();
  #count = 0;
  #holdsAnswers = false;
  /** Without an errand, all requests are refused. */
  errand: Errand | undefined;

  constructor(page: Page, setup: RequestsSetup) {
    this.#page = page;
    this.#setup = setup;
  }

  async listen(): Promise<void> {
    const page = this.#page;
    page.on("request", (request) => this.#began(request));
    page.on("response", (response) => void this.#answered(response).catch(ignoreClosed));
    page.on("requestfinished", (request) => this.errand?.ended(this.#nameOf(request)));
    page.on("requestfailed", (request) => this.errand?.ended(this.#nameOf(request)));
    page.on("popup", (popup) => void popup.close().catch(ignoreClosed));
    await page.route("**/*", (route) => this.#decide(route).catch(ignoreClosed));
    this.#holdsAnswers = await holdAnswers(page, (answer) => this.#weigh(answer));
  }

  #nameOf(request: Request): string {
    const known = this.#names.get(request);
    if (known !== undefined) return known;
    this.#count += 1;
    this.#names.set(request, String(this.#count));
    return String(this.#count);
  }

  #isMain(request: Request): boolean {
    return request.isNavigationRequest() && request.frame() === this.#page.mainFrame();
  }

  #asked(request: Request) {
    const kind = kinds.get(request.resourceType());
    return { url: request.url(), method: request.method(), kind, isMain: this.#isMain(request) };
  }

  async #decide(route: Route): Promise<void> {
    const { errand } = this;
    const permission = errand?.permit(this.#asked(route.request())) ?? "stop";
    if (permission === "go") return route.continue(this.#withGiven(route.request(), errand!));
    if (permission === "stop" || !errand || !("kind" in errand.ask.document)) return route.abort("aborted");
    const { status, contentType, bytes, robotsTags } = errand.ask.document;
    errand.status = status;
    errand.robotsTags = robotsTags;
    const headers = { "content-type": contentType ?? "text/html", "content-security-policy": LOCKS };
    return route.fulfill({ status, headers, body: Buffer.from(bytes) });
  }

  /**
   * The credentials for an origin, only for requests of its own pages: a page of another site must not read content with
   * them. Playwright repeats headers after a redirect, so they are sent only if responses can be held.
   */
  #given(url: string, { ask }: Errand): string[] {
    const { origin, pathname } = new URL(url);
    const isOwn = this.#holdsAnswers && new URL(ask.url).origin === origin;
    const credentials = isOwn ? this.#setup.access?.credentialsFor(origin) : undefined;
    return credentials ? sentAlong(credentials, pathname, Date.now()) : [];
  }

  #withGiven(request: Request, errand: Errand): { headers: Record<string, string> } | undefined {
    const given = this.#given(request.url(), errand);
    if (given.length === 0) return undefined;
    const headers = new Map(Object.entries(request.headers()));
    for (let at = 0; at + 1 < given.length; at += 2) headers.set(given[at]!.toLowerCase(), given[at + 1]!);
    return { headers: Object.fromEntries(headers) };
  }

  #began(request: Request): void {
    const { errand } = this;
    const asked = this.#asked(request);
    errand?.began(this.#nameOf(request), asked.kind);
    if (asked.isMain) errand?.setOut(asked.url, asked.method);
    const from = request.redirectedFrom();
    if (!errand || from === null) return;
    errand.ended(this.#nameOf(from));
    if (asked.isMain) errand.finish({ kind: "moved", status: errand.status ?? 302, location: asked.url.replace(/#.*$/s, "") });
    else if (!this.#holdsAnswers) errand.permit(asked);
  }

  /** Shows a document only if it is a page; judges the target of a redirect before it is followed. */
  #weigh(answer: HeldAnswer): "go" | "stop" {
    const { errand } = this;
    if (!errand) return "stop";
    const head = readHead(answer.lines);
    if (answer.isMain) return this.#judge(answer.status, head, errand) === undefined ? "go" : "stop";
    const location = Buffer.from(head.location ?? "", "latin1").toString();
    if (!leading.has(answer.status) || location === "" || !URL.canParse(location, answer.url)) return "go";
    const url = new URL(location, answer.url).href;
    if (this.#given(answer.url, errand).length > 0 && new URL(url).origin !== new URL(answer.url).origin) return "stop";
    const kind = destinations.get(answer.destination);
    return errand.permit({ url, method: answer.method, kind, isMain: false }) === "go" ? "go" : "stop";
  }

  /** Finishes the page if its head shows that there is nothing to render. */
  #judge(status: number, head: ReturnType<typeof readHead>, errand: Errand): Answer | undefined {
    const { document: turn, url } = errand.ask;
    if (!("host" in turn)) return undefined;
    errand.status = status;
    errand.robotsTags = head.robotsTags;
    const isLong = (head.contentLength ?? 0) > this.#setup.maxBody;
    const answer =
      judge(status, head, { url, turn, accept: "page" }, this.#setup.types, Date.now()) ?? (isLong ? tooLarge(status) : undefined);
    if (answer) errand.finish(answer);
    return answer;
  }

  async #answered(response: Response): Promise<void> {
    const { errand } = this;
    if (!errand) return;
    errand.got(Number(response.headers()["content-length"] ?? 0) || 0);
    if (!this.#isMain(response.request()) || !("host" in errand.ask.document)) return;
    const raw = await response.headersArray();
    const head = readHead(raw.flatMap(({ name, value }) => [name, asWritten(value)]));
    if (this.#judge(response.status(), head, errand) || isShown(head.contentType)) return;
    errand.finish(await this.#whole(response, head));
  }

  /** Documents that need no browser are returned as received. */
  async #whole(response: Response, head: ReturnType<typeof readHead>): Promise<Answer> {
    const status = response.status();
    const bytes = await response.body();
    return bytes.length > this.#setup.maxBody ? tooLarge(status) : bodyOf(status, head, Uint8Array.from(bytes), bytes.length);
  }
}

/** Commands to a tab that is being closed may fail. */
function ignoreClosed(error: Error): void {
  if (!/closed|crashed|no such|already handled|disposed/i.test(error.message)) throw error;
}
