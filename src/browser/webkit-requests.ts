import { type Access, type Answer, bodyOf, judge, readHead, sentAlong } from "../fetch/index.ts";
import type { PageRequest } from "./engine.ts";
import type { Errand } from "./errand.ts";
import type { Decision, Inspector, Passing } from "./inspector.ts";
import { isShown, LOCKS, tooLarge } from "./page-document.ts";

export interface WebkitRequestsSetup {
  readonly maxBody: number;
  /** Content types that are read as pages. */
  readonly types: ReadonlySet<string>;
  readonly access: Access | undefined;
}

const stop: Decision = { kind: "stop" };
/** Headers that make the browser save a document as a file, fetch more, or navigate elsewhere. */
const ofNoUse = new Set(["content-disposition", "link", "refresh", "speculation-rules"]);

/** Values of Sec-Fetch-Dest, which WebKit sends only to secure origins. */
const kinds: ReadonlyMap<string, PageRequest["kind"]> = new Map([
  ["document", "document"],
  ["iframe", "document"],
  ["frame", "document"],
  ["script", "script"],
  ["style", "style"],
  ["empty", "data"],
  ["image", "image"],
]);

/** Inspects all requests of WebKit at its exit. */
export class WebkitRequests implements Inspector {
  readonly #setup: WebkitRequestsSetup;
  #errand: Errand | undefined;
  /** The request for the page's own document. */
  #main: string | undefined;
  /** A document that is not rendered is collected as it arrives. */
  #unshown: { readonly parts: Uint8Array[]; readonly finish: (bytes: Uint8Array) => Answer } | undefined;

  constructor(setup: WebkitRequestsSetup) {
    this.#setup = setup;
  }

  /** Without an errand, all requests are refused. */
  set errand(errand: Errand | undefined) {
    this.#errand = errand;
    this.#main = undefined;
    this.#unshown = undefined;
  }

  /** Whether the document was requested. */
  get hasBegun(): boolean {
    return this.#main !== undefined;
  }

  decide(passing: Passing): Decision {
    const errand = this.#errand;
    if (!errand) return stop;
    const target = passing.header("sec-fetch-dest");
    const kind = target === undefined ? kindOf(passing.header("accept") ?? "") : kinds.get(target);
    const isFirst = this.#main === undefined && kind === "document";
    // Without Sec-Fetch-Dest, a further document may be a frame or a navigation of the page itself, so it is refused.
    if (!isFirst && kind === "document" && target === undefined) return stop;
    const isMain = isFirst || target === "document";
    const permission = errand.permit({ url: passing.url, method: "GET", kind, isMain });
    if (isFirst) this.#main = passing.id;
    if (permission === "give") return this.#give(errand);
    if (permission === "stop") return stop;
    errand.began(passing.id, kind);
    return { kind: "go", more: [...(isMain ? ["Accept-Encoding", "identity"] : []), ...this.#given(passing, isMain)] };
  }

  answered(passing: Passing, status: number, lines: readonly string[]): readonly string[] | undefined {
    const errand = this.#errand;
    if (!errand) return undefined;
    if (passing.id !== this.#main) return lines;
    const head = readHead(lines);
    const { document: turn, url } = errand.ask;
    if (!("host" in turn)) return undefined;
    errand.status = status;
    errand.robotsTags = head.robotsTags;
    const answer = judge(status, head, { url, turn, accept: "page" }, this.#setup.types, Date.now());
    const isLong = (head.contentLength ?? 0) > this.#setup.maxBody;
    if (answer || isLong) {
      errand.finish(answer ?? tooLarge(status));
      return undefined;
    }
    if (!isShown(head.contentType)) this.#unshown = { parts: [], finish: (bytes) => bodyOf(status, head, bytes, bytes.length) };
    return locked(lines);
  }

  heard(passing: Passing, part: Uint8Array): void {
    const errand = this.#errand;
    if (passing.id !== this.#main) errand?.got(part.length);
    if (!errand || passing.id !== this.#main) return;
    errand.wireBytes += part.length;
    this.#unshown?.parts.push(part);
    if (errand.wireBytes > this.#setup.maxBody) errand.finish(tooLarge(errand.status));
  }

  ended(passing: Passing, isWhole: boolean): void {
    this.#errand?.ended(passing.id);
    if (passing.id === this.#main && isWhole && this.#unshown)
      this.#errand?.finish(this.#unshown.finish(Uint8Array.from(Buffer.concat(this.#unshown.parts))));
  }

  /** Credentials for an origin are sent with its documents and with their subrequests only, not with requests of other sites' pages. */
  #given(passing: Passing, isMain: boolean): string[] {
    const { origin, pathname } = new URL(passing.url);
    const credentials = this.#setup.access?.credentialsFor(origin);
    const isOwn = isMain || passing.header("referer")?.startsWith(`${origin}/`) === true;
    return credentials && isOwn ? sentAlong(credentials, pathname, Date.now()) : [];
  }

  #give(errand: Errand): Decision {
    const { document } = errand.ask;
    if (!("kind" in document)) throw new Error("no document to give");
    const { status, robotsTags, contentType, bytes } = document;
    errand.status = status;
    errand.robotsTags = robotsTags;
    return { kind: "give", status, headers: locked(["Content-Type", contentType ?? "text/html"]), body: bytes };
  }
}

const locked = (lines: readonly string[]): string[] => [
  ...lines.filter((_, at) => !ofNoUse.has(lines[at - (at % 2)]!.toLowerCase())),
  "Content-Security-Policy",
  LOCKS,
];

/** Guesses the kind from the Accept header. Scripts and data both accept anything. */
function kindOf(accept: string): PageRequest["kind"] | undefined {
  if (accept.startsWith("text/html")) return "document";
  if (accept.startsWith("text/css")) return "style";
  return accept.startsWith("*/*") ? "script" : undefined;
}
