import { closeSync, existsSync, openSync, writeSync } from "node:fs";
import { SetupError } from "../../engine/config/index.ts";
import { gzipWriter, isGzipName, unpackedName } from "../../engine/formats/index.ts";
import type { Exported } from "../../features/export/export.ts";
import { type FormatInfo, type FormatName, formats, type StreamFormat } from "../../features/export/export-formats.ts";
import { rangeFrom } from "../../features/export/export-range.ts";
import { ExportTally } from "../../features/export/export-tally.ts";
import { openStored, type StoredRange } from "./stored.ts";

export type ExportFormat = FormatName;

export interface ExportInput extends StoredRange {
  readonly db: string;
  /** Default: by the file extension. Formats that write a folder must be named. */
  readonly format?: ExportFormat | undefined;
  /** For jsonl and csv; default: pages. */
  readonly what?: Exported | undefined;
  readonly run?: number | undefined;
  /** Only what was first seen since a time or a duration ago, such as "7d". */
  readonly since?: Date | string | undefined;
  /** Include pages that turned out to be walls, errors or shells. */
  readonly anyVerdict?: boolean | undefined;
  /** Include noindex pages, in formats that leave them out. */
  readonly includeNoindex?: boolean | undefined;
  /** For a feed: maximum number of changes. */
  readonly limit?: number | undefined;
  /** Replace existing files. */
  readonly replace?: boolean | undefined;
}

/** Exports stored data to a file or folder, in any format of `nuthatch export`. */
export async function exportTo(path: string, input: ExportInput): Promise<{ readonly file: string; readonly records: number }> {
  const { db, site, run, since, anyVerdict, includeNoindex, limit, replace = false, signal } = input;
  const formatInfo = formatFor(path, input.format);
  const what = formatInfo.what.find((each) => each === (input.what ?? formatInfo.what[0]));
  if (what === undefined)
    throw new SetupError(`${input.what} cannot be exported in this format`, `what: one of ${formatInfo.what.join(", ")}`);
  await using stored = await openStored(db);
  const { app } = stored;
  const range = await rangeFrom(app, {
    ...{ site, anyVerdict, includeNoindex, limit },
    run: run === undefined ? undefined : String(run),
    since: since instanceof Date ? since.toISOString() : since,
  });
  const target = { path, isReplacing: replace };
  const request = { range, what, tally: new ExportTally(), file: target };
  const format = await formatInfo.load();
  if (format.writes === "place") return { file: path, records: (await format.write(app, request, target)).saved };
  if (existsSync(path) && !replace) throw new SetupError(`${path} exists already`, "replace: true writes over it");
  await writeStream(path, format.parts(app, request), replace, signal);
  return { file: path, records: request.tally.written };
}

function formatFor(path: string, format: ExportFormat | undefined): FormatInfo {
  const formatInfos = Object.entries<FormatInfo>(formats);
  const found = formatInfos.find(([name, { ending }]) => (format === undefined ? ending?.test(unpackedName(path)) : name === format))?.[1];
  if (found) return found;
  if (format !== undefined) throw new SetupError(`there is no format ${format}`, `one of ${formatInfos.map(([name]) => name).join(", ")}`);
  throw new SetupError(
    `${path} does not end in a format that can be written`,
    "use a name that ends in .jsonl, .csv, .xml (a sitemap), .atom or .db (and .gz), or say which: format",
  );
}

/** Makes the first part before opening the file, so that a mistake leaves an existing file unchanged. */
async function writeStream(
  path: string,
  stream: ReturnType<StreamFormat["parts"]>,
  replace: boolean,
  signal: AbortSignal | undefined,
): Promise<void> {
  const parts = stream[Symbol.asyncIterator]();
  let part = await parts.next();
  const output = openOutput(path, replace);
  try {
    for (; !part.done; part = await parts.next()) {
      signal?.throwIfAborted();
      output.write(part.value);
    }
  } finally {
    await parts.return?.();
    output.close();
  }
}

/** Compresses if the name ends in .gz. */
function openOutput(path: string, replace: boolean): { write(data: string | Uint8Array): void; close(): void } {
  const file = opened(path, replace);
  const write = (data: string | Uint8Array) => {
    const bytes = Buffer.from(data as string);
    for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
  };
  if (!isGzipName(path)) return { write, close: () => closeSync(file) };
  const compressed = gzipWriter(write);
  return {
    write: compressed.write,
    close: () => {
      compressed.close(true);
      closeSync(file);
    },
  };
}

function opened(path: string, replace: boolean): number {
  try {
    return openSync(path, replace ? "w" : "wx");
  } catch (cause) {
    throw new SetupError(`${path} cannot be written`, "check its folder", { cause });
  }
}
