import { type Access, type Answer, bodyAnswer, classifyHead, credentialHeaders, readHead } from "../../fetch/index.ts";
import type { PageRequest } from "../engine.ts";
import type { RenderJob } from "../exit/render-job.ts";
import type { Decision, Inspector, ProxiedRequest } from "../inspector.ts";
import { CONTENT_POLICY, isRenderable, tooLargeAnswer } from "../page-document.ts";

export interface WebkitRequestsSetup {
  readonly maxBody: number;
  /** Content types that are read as pages. */
  readonly types: ReadonlySet<string>;
  readonly access: Access | undefined;
}

const refuse: Decision = { kind: "stop" };
/** Headers that make the browser save a document as a file, fetch more, or navigate elsewhere. */
const droppedHeaders = new Set(["content-disposition", "link", "refresh", "speculation-rules"]);

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
  #job: RenderJob | undefined;
  /** The request for the page's own document. */
  #mainRequestId: string | undefined;
  /** A document that is not rendered is collected as it arrives. */
  #unrendered: { readonly parts: Uint8Array[]; readonly finish: (bytes: Uint8Array) => Answer } | undefined;

  constructor(setup: WebkitRequestsSetup) {
    this.#setup = setup;
  }

  /** Without a job, all requests are refused. */
  set job(job: RenderJob | undefined) {
    this.#job = job;
    this.#mainRequestId = undefined;
    this.#unrendered = undefined;
  }

  /** Whether the document was requested. */
  get hasStarted(): boolean {
    return this.#mainRequestId !== undefined;
  }

  decide(proxied: ProxiedRequest): Decision {
    const job = this.#job;
    if (!job) return refuse;
    const destination = proxied.header("sec-fetch-dest");
    const kind = destination === undefined ? guessKind(proxied.header("accept") ?? "") : kinds.get(destination);
    const isFirst = this.#mainRequestId === undefined && kind === "document";
    // Without Sec-Fetch-Dest, a further document may be a frame or a navigation of the page itself, so it is refused.
    if (!isFirst && kind === "document" && destination === undefined) return refuse;
    const isMain = isFirst || destination === "document";
    const permission = job.permit({ url: proxied.url, method: "GET", kind, isMain });
    if (isFirst) this.#mainRequestId = proxied.id;
    if (permission === "give") return this.#supplyDocument(job);
    if (permission === "stop") return refuse;
    job.requestStarted(proxied.id, kind);
    return { kind: "go", more: [...(isMain ? ["Accept-Encoding", "identity"] : []), ...this.#addedHeaders(proxied, isMain)] };
  }

  onResponse(proxied: ProxiedRequest, status: number, lines: readonly string[]): readonly string[] | undefined {
    const job = this.#job;
    if (!job) return undefined;
    if (proxied.id !== this.#mainRequestId) return lines;
    const head = readHead(lines);
    const { document: turn, url } = job.renderRequest;
    if (!("host" in turn)) return undefined;
    job.status = status;
    job.robotsTags = head.robotsTags;
    const answer = classifyHead(status, head, { url, turn, accept: "page" }, this.#setup.types, Date.now());
    const isTooLong = (head.contentLength ?? 0) > this.#setup.maxBody;
    if (answer || isTooLong) {
      job.finish(answer ?? tooLargeAnswer(status));
      return undefined;
    }
    if (!isRenderable(head.contentType)) this.#unrendered = { parts: [], finish: (bytes) => bodyAnswer(status, head, bytes, bytes.length) };
    return withContentPolicy(lines);
  }

  onData(proxied: ProxiedRequest, chunk: Uint8Array): void {
    const job = this.#job;
    if (proxied.id !== this.#mainRequestId) job?.addBytes(chunk.length);
    if (!job || proxied.id !== this.#mainRequestId) return;
    job.wireBytes += chunk.length;
    this.#unrendered?.parts.push(chunk);
    if (job.wireBytes > this.#setup.maxBody) job.finish(tooLargeAnswer(job.status));
  }

  onEnd(proxied: ProxiedRequest, isWhole: boolean): void {
    this.#job?.requestEnded(proxied.id);
    if (proxied.id === this.#mainRequestId && isWhole && this.#unrendered)
      this.#job?.finish(this.#unrendered.finish(Uint8Array.from(Buffer.concat(this.#unrendered.parts))));
  }

  /** Credentials for an origin are sent with its documents and with their subrequests only, not with requests of other sites' pages. */
  #addedHeaders(proxied: ProxiedRequest, isMain: boolean): string[] {
    const { origin, pathname } = new URL(proxied.url);
    const credentials = this.#setup.access?.credentialsFor(origin);
    const isOwn = isMain || proxied.header("referer")?.startsWith(`${origin}/`) === true;
    return credentials && isOwn ? credentialHeaders(credentials, pathname, Date.now()) : [];
  }

  #supplyDocument(job: RenderJob): Decision {
    const { document } = job.renderRequest;
    if (!("kind" in document)) throw new Error("no document to give");
    const { status, robotsTags, contentType, bytes } = document;
    job.status = status;
    job.robotsTags = robotsTags;
    return { kind: "give", status, headers: withContentPolicy(["Content-Type", contentType ?? "text/html"]), body: bytes };
  }
}

const withContentPolicy = (lines: readonly string[]): string[] => [
  ...lines.filter((_, at) => !droppedHeaders.has(lines[at - (at % 2)]!.toLowerCase())),
  "Content-Security-Policy",
  CONTENT_POLICY,
];

/** Guesses the kind from the Accept header. Scripts and data both accept anything. */
function guessKind(accept: string): PageRequest["kind"] | undefined {
  if (accept.startsWith("text/html")) return "document";
  if (accept.startsWith("text/css")) return "style";
  return accept.startsWith("*/*") ? "script" : undefined;
}
