/** Writes an export into its file, on a thread that does nothing else. */
import { createWriteStream } from "node:fs";
import { rename, rm, stat } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import type { App } from "../app.ts";
import type { Exported } from "../operations/export.ts";
import { type ExportReport, type FormatName, formats } from "../operations/export-formats.ts";
import { type RangeInput, rangeFrom } from "../operations/export-range.ts";
import { ExportTally } from "../operations/export-tally.ts";

export interface ExportOrder {
  readonly format: FormatName;
  readonly what: Exported;
  readonly siteId?: number | undefined;
  readonly crawlId?: number | undefined;
  readonly filter?: Pick<RangeInput, "since" | "anyVerdict" | "includeNoindex" | "limit"> | undefined;
  readonly compress?: "gz" | undefined;
  readonly path: string;
}

/** Under another name until it is whole. */
export async function writeExport(
  app: App,
  { format, what, siteId, crawlId, filter, compress, path }: ExportOrder,
): Promise<Partial<ExportReport> & { readonly bytes: number }> {
  const part = `${path}.part`;
  await rm(part, { recursive: true, force: true });
  const range = { ...(await rangeFrom(app, { ...filter })), siteId, runId: crawlId };
  const request = { range, what, tally: new ExportTally() };
  const writer = await formats[format].load();
  let report: ExportReport | undefined;
  if (writer.writes === "stream") {
    const packing = compress === "gz" ? [createGzip()] : [];
    await pipeline([Readable.from(writer.parts(app, request)), ...packing, createWriteStream(part, { mode: 0o600 })]);
  } else report = await writer.write(app, request, { path: part, isReplacing: true });
  await rename(part, path);
  return { ...report, bytes: (await stat(path)).size };
}
