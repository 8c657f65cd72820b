import { rmSync } from "node:fs";
import { STATUS_CODES } from "node:http";
import { basename } from "node:path";
import { VERSION } from "../../core/version.ts";
import type { App } from "../../engine/app.ts";
import { SetupError } from "../../engine/config/index.ts";
import { ARCHIVE_ENDING, archiveFiles, archiveIndex, type Capture, headOf, WarcFiles } from "../../engine/formats/index.ts";
import type { ExchangeRange, PageResponse, StoredExchange } from "../../store/index.ts";
import type { ExportReport, ExportTarget, FileFormat } from "./export-formats.ts";

/** The exchanges as sent over the wire, if stored; else records made from the stored answers. */
export const warcFormat: FileFormat = {
  writes: "place",
  async write(app, { range }, place) {
    const archive = new Archive(app, range, openFiles(place));
    await archive.writeExchanges();
    await archive.writeAnswers();
    return archive.close(place);
  },
};

function openFiles({ path, isReplacing, isAlone }: ExportTarget): WarcFiles {
  if (!path.endsWith(ARCHIVE_ENDING))
    throw new SetupError(`${path} does not end in ${ARCHIVE_ENDING}`, "name the archive so: its index goes beside it");
  const [existing] = archiveFiles(path);
  if (existing !== undefined && !isReplacing)
    throw new SetupError(`${existing} exists already`, `-O ${path} replaces the archive and its index`);
  try {
    const maxBytes = isAlone ? Number.POSITIVE_INFINITY : undefined;
    return new WarcFiles(path, { software: `nuthatch/${VERSION}`, now: new Date().toISOString(), largest: maxBytes });
  } catch (cause) {
    throw new SetupError(`${path} cannot be written`, "check the folder and its permissions", { cause });
  }
}

class Archive {
  readonly #store: App["store"];
  readonly #range: ExchangeRange;
  readonly #files: WarcFiles;
  /** Exchanges of other runs that were included. */
  readonly #includedIds = new Set<number>();
  readonly #count = { kept: 0, revisits: 0, made: 0, left: 0 };

  constructor({ store }: App, { siteId, runId }: ExchangeRange, files: WarcFiles) {
    this.#store = store;
    this.#range = { siteId, runId };
    this.#files = files;
  }

  async writeExchanges(): Promise<void> {
    for await (const exchange of this.#store.exchanges.all(this.#range)) {
      const before = await this.#earlierCapture(exchange);
      await this.#add(exchange, before);
    }
  }

  /** Answers for pages without a stored exchange in this range. */
  async writeAnswers(): Promise<void> {
    const { exchanges } = this.#store;
    for await (const answer of exchanges.pageResponses(this.#range)) {
      const of = { url: answer.url, bodyHash: answer.bodyHash ?? "" };
      const elsewhere = await exchanges.findOriginal(of, {});
      if (elsewhere) await this.#includeOther(elsewhere);
      else await this.#addReconstructed(answer);
    }
  }

  close({ path, isAlone }: ExportTarget): ExportReport {
    this.#files.close();
    if (isAlone) rmSync(archiveIndex(path));
    const { kept, revisits, made: own, left } = this.#count;
    const { parts } = this.#files;
    const notes = [
      `${kept} answers as they came over the wire (${revisits} of them revisits), ${own} with heads made of what is stored`,
      ...(own > 0 ? ["crawl with --save warc to keep requests and answers as they go over the wire"] : []),
      ...(isAlone ? [] : [`the index is ${basename(archiveIndex(path))}${parts > 1 ? `, for ${parts} files` : ""}`]),
    ];
    return { saved: kept + own, left, notes };
  }

  /** The earlier capture with the same body. For a 304 it may be in another run; that capture is then included. */
  async #earlierCapture({ id, url, status, bodyHash }: StoredExchange): Promise<StoredExchange | undefined> {
    if (bodyHash === undefined || (status !== 304 && (status < 200 || status > 299))) return undefined;
    const { exchanges } = this.#store;
    const own = await exchanges.findOriginal({ url, bodyHash }, this.#range, id);
    if (own || status !== 304) return own;
    const other = await exchanges.findOriginal({ url, bodyHash }, {}, id);
    if (other) await this.#includeOther(other);
    return other;
  }

  async #includeOther(exchange: StoredExchange): Promise<void> {
    if (this.#includedIds.has(exchange.id)) return;
    this.#includedIds.add(exchange.id);
    await this.#add(exchange, undefined);
  }

  async #addReconstructed(answer: PageResponse): Promise<void> {
    const body = answer.bodyHash === undefined ? undefined : await this.#store.bodyUncached(answer.bodyHash);
    if (!body) {
      this.#count.left += 1;
      return;
    }
    this.#files.add({ ...reconstructed(answer), body });
    this.#count.made += 1;
  }

  async #add(exchange: StoredExchange, earlierCapture: StoredExchange | undefined): Promise<void> {
    const { bodyHash, status, at, truncated, ...rest } = exchange;
    const body = bodyHash === undefined ? undefined : await this.#store.bodyUncached(bodyHash);
    const isRevisit = status === 304 || (earlierCapture !== undefined && body !== undefined && body.length > 0);
    const revisit: Capture["revisit"] = isRevisit
      ? {
          because: status === 304 ? "not-modified" : "same-body",
          of: earlierCapture && { url: earlierCapture.url, at: iso(earlierCapture.at) },
        }
      : undefined;
    this.#files.add({ ...rest, status, at: iso(at), body, truncated, revisit });
    this.#count.kept += 1;
    if (revisit) this.#count.revisits += 1;
  }
}

const iso = (at: number) => new Date(at).toISOString();

function reconstructed({ url, at, status, contentType, etag, lastModified }: PageResponse): Omit<Capture, "body"> {
  const response = headOf(status, STATUS_CODES[status] ?? "", [
    ["Date", new Date(at).toUTCString()],
    ["Content-Type", contentType],
    ["ETag", etag],
    ["Last-Modified", lastModified],
  ]);
  return { url, at: iso(at), status, response };
}
