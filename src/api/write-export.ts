/** Writes an export to its file, on a thread of its own. */
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import type { App } from "../app.ts";
import { SetupError } from "../config/index.ts";
import type { Exported } from "../operations/export.ts";
import { type ExportReport, type FormatName, formats } from "../operations/export-formats.ts";
import { type RangeInput, rangeFrom } from "../operations/export-range.ts";
import { ExportTally } from "../operations/export-tally.ts";
import { StorageError } from "../store/index.ts";
import { endingOf, isPacked } from "./export-files.ts";

export interface ExportOrder {
  readonly format: FormatName;
  readonly what: Exported;
  readonly siteId?: number | undefined;
  readonly crawlId?: number | undefined;
  readonly filter?: Pick<RangeInput, "since" | "anyVerdict" | "includeNoindex" | "limit"> | undefined;
  readonly compress?: "gz" | undefined;
  readonly path: string;
}

/** Written to a temporary folder first, so that a failure leaves no partial file. */
export async function writeExport(app: App, order: ExportOrder): Promise<Partial<ExportReport> & { readonly bytes: number }> {
  const { path } = order;
  const folder = `${path}.part`;
  try {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { mode: 0o700 });
    const { file, report } = await writeInto(app, order, folder);
    await rename(file, path);
    return { ...report, bytes: (await stat(path)).size };
  } catch (cause) {
    throw withoutPlaces(cause, [
      [`${folder}/`, ""],
      [`${dirname(path)}/`, ""],
      [app.store.path, "the data file"],
    ]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function writeInto(
  app: App,
  { format, what, siteId, crawlId, filter, compress }: ExportOrder,
  folder: string,
): Promise<{ readonly file: string; readonly report?: ExportReport }> {
  const range = { ...(await rangeFrom(app, { ...filter })), siteId, runId: crawlId };
  const request = { range, what, tally: new ExportTally() };
  const writer = await formats[format].load();
  const packing = compress === "gz" && !isPacked(format) ? [createGzip()] : [];
  const file = join(folder, "whole");
  const save = (parts: Readable) => pipeline([parts, ...packing, createWriteStream(file, { mode: 0o600 })]);
  if (writer.writes === "stream") {
    await save(Readable.from(writer.parts(app, request)));
    return { file };
  }
  const made = join(folder, `export${endingOf(format)}`);
  const report = await writer.write(app, request, { path: made, isReplacing: true, isAlone: true });
  if (packing.length === 0) return { file: made, report };
  await save(createReadStream(made));
  return { file, report };
}

/** Errors a user can fix, with the paths of this machine removed. */
function withoutPlaces(cause: unknown, places: readonly (readonly [place: string, name: string])[]): unknown {
  if (!(cause instanceof SetupError || cause instanceof StorageError)) return cause;
  const told = (text: string) => places.reduce((rest, [place, name]) => rest.replaceAll(place, name), text);
  return cause instanceof SetupError
    ? new SetupError(told(cause.message), told(cause.hint), { cause })
    : new StorageError(told(cause.message), told(cause.hint), { cause });
}
