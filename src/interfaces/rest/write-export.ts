/** Writes an export to its file, on a thread of its own. */
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import type { App } from "../../engine/app.ts";
import { SetupError } from "../../engine/config/index.ts";
import type { Exported } from "../../features/export/export.ts";
import { type ExportReport, type FormatName, formats } from "../../features/export/export-formats.ts";
import { type RangeInput, rangeFrom } from "../../features/export/export-range.ts";
import { ExportTally } from "../../features/export/export-tally.ts";
import { StorageError } from "../../store/index.ts";
import { extensionOf, isCompressed } from "./export-files.ts";

export interface ExportTask {
  readonly format: FormatName;
  readonly what: Exported;
  readonly siteId?: number | undefined;
  readonly crawlId?: number | undefined;
  readonly filter?: Pick<RangeInput, "since" | "anyVerdict" | "includeNoindex" | "limit"> | undefined;
  readonly compress?: "gz" | undefined;
  readonly path: string;
}

/** Written to a temporary folder first, so that a failure leaves no partial file. */
export async function writeExport(app: App, task: ExportTask): Promise<Partial<ExportReport> & { readonly bytes: number }> {
  const { path } = task;
  const folder = `${path}.part`;
  try {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { mode: 0o700 });
    const { file, report } = await writeInto(app, task, folder);
    await rename(file, path);
    return { ...report, bytes: (await stat(path)).size };
  } catch (cause) {
    throw withoutPaths(cause, [
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
  { format, what, siteId, crawlId, filter, compress }: ExportTask,
  folder: string,
): Promise<{ readonly file: string; readonly report?: ExportReport }> {
  const range = { ...(await rangeFrom(app, { ...filter })), siteId, runId: crawlId };
  const request = { range, what, tally: new ExportTally() };
  const writer = await formats[format].load();
  const packing = compress === "gz" && !isCompressed(format) ? [createGzip()] : [];
  const file = join(folder, "whole");
  const save = (parts: Readable) => pipeline([parts, ...packing, createWriteStream(file, { mode: 0o600 })]);
  if (writer.writes === "stream") {
    await save(Readable.from(writer.parts(app, request)));
    return { file };
  }
  const output = join(folder, `export${extensionOf(format)}`);
  const report = await writer.write(app, request, { path: output, isReplacing: true, isAlone: true });
  if (packing.length === 0) return { file: output, report };
  await save(createReadStream(output));
  return { file, report };
}

/** Errors a user can fix, with the paths of this machine removed. */
function withoutPaths(cause: unknown, paths: readonly (readonly [place: string, name: string])[]): unknown {
  if (!(cause instanceof SetupError || cause instanceof StorageError)) return cause;
  const hidePaths = (text: string) => paths.reduce((rest, [place, name]) => rest.replaceAll(place, name), text);
  return cause instanceof SetupError
    ? new SetupError(hidePaths(cause.message), hidePaths(cause.hint), { cause })
    : new StorageError(hidePaths(cause.message), hidePaths(cause.hint), { cause });
}
