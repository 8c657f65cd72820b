import type { PageMetadata } from "../../../core/records.ts";
import { type Seed, urlsOf } from "../../../core/seed.ts";
import type { App } from "../../../engine/app.ts";
import type { Config } from "../../../engine/config/index.ts";
import { describingLines, plural } from "../../../engine/telemetry/index.ts";
import type { EnhancedPage } from "../../../features/enrich/enhance.ts";
import { enhanceEach, resetMetadata } from "../../../features/enrich/enhance.ts";
import { findSite } from "../../../features/pages/find.ts";
import { loadConfig } from "../command.ts";
import { withStored } from "../commands/stored.ts";
import { exitCodes } from "../exit-codes.ts";
import { openRecordSink } from "../record-sink.ts";
import { jsonDocument, paragraph, type Shell, write } from "../shell.ts";
import { onStopSignal } from "../stop-signal.ts";
import type { EnrichFlags } from "./enrich.ts";

interface StoredRequest {
  /** Undefined for all stored pages. */
  readonly urls: readonly Seed[] | undefined;
  readonly delay: number;
}

/** `--missing` and `--reset`: metadata of pages that are already stored. */
export async function enrichStored({ urls, delay }: StoredRequest, flags: EnrichFlags, shell: Shell): Promise<number> {
  const { site, force, batchSize } = flags;
  const sink = openRecordSink<EnhancedPage>(shell, flags, {
    name: "results",
    row: ({ id, url, status, fieldsAdded, reason = "" }) => ({ id, url, status, fieldsAdded: fieldsAdded.join("; "), reason }),
    lines: ({ url, status, fieldsAdded, reason }) => [`${status.padEnd(9)} ${url}${detailsOf(fieldsAdded, reason)}`],
  });
  const stop = new AbortController();
  const stopListening = onStopSignal(() => stop.abort());
  try {
    return await withStored(flags, shell, async (app, _, file) => {
      const reset = flags.reset ? await resetMetadata(app, { urls, site }) : undefined;
      if (!flags.missing) return printReset(reset ?? 0, flags, shell);
      const config = loadConfig(flags, shell, file, urlsOf(urls ?? []));
      const counts = { enhanced: 0, unchanged: 0, failed: 0 };
      sink.open();
      const onRead = flags.verbose && !flags.quiet ? (await import("../../../features/enrich/extraction-line.ts")).storedLine : undefined;
      const how = { config, urls, site, missing: !force, force, batchSize, delay, signal: stop.signal };
      const sourcesHook = onRead && {
        onRead: (url: string, values: PageMetadata) => void shell.stderr.write(paragraph([onRead(url, values)])),
      };
      for await (const page of enhanceEach(app, { ...how, ...sourcesHook })) {
        counts[page.status] += 1;
        await sink.add(page);
      }
      const describedLines = config.llm === undefined ? [] : await describeAll(app, config, { site, signal: stop.signal }, sink.add);
      const processed = counts.enhanced + counts.unchanged + counts.failed;
      await sink.close({ message: "Metadata enhancement completed", processed, enhanced: counts.enhanced });
      if (!flags.quiet && !flags.json) shell.stderr.write(paragraph([totalsOf(processed, counts), ...describedLines]));
      if (stop.signal.aborted) return stopListening();
      return processed > 0 && counts.failed === processed ? exitCodes.noPages : exitCodes.ok;
    });
  } finally {
    stopListening();
  }
}

/** Asks the model for fields that are still missing. */
async function describeAll(
  app: App,
  config: Config,
  { site, signal }: { readonly site: string | undefined; readonly signal: AbortSignal },
  add: (page: EnhancedPage) => Promise<void>,
): Promise<string[]> {
  const [{ Describer }, { describeStored }] = await Promise.all([
    import("../../../features/enrich/describe-pages.ts"),
    import("../../../features/enrich/describe-stored.ts"),
  ]);
  const siteIds = site === undefined ? undefined : [(await findSite(app, site)).id];
  const describer = await Describer.open(app, config, signal);
  try {
    for await (const page of describeStored(app, siteIds, describer)) await add({ ...page, status: "enhanced" });
    return describingLines(describer.report()).map(([, text]) => text);
  } finally {
    await describer.close();
  }
}

const detailsOf = (added: readonly string[], reason: string | undefined) =>
  reason !== undefined ? `  ${reason}` : added.length > 0 ? `  + ${added.join(", ")}` : "";

function totalsOf(processed: number, counts: Readonly<Record<string, number>>): string {
  if (processed === 0) return "no page lacks metadata";
  const parts = Object.entries(counts).filter(([, count]) => count > 0);
  return `${plural(processed, "page", "pages")}: ${parts.map(([status, count]) => `${count} ${status}`).join(", ")}`;
}

async function printReset(reset: number, flags: EnrichFlags, shell: Shell): Promise<number> {
  if (flags.json) await write(shell.stdout, jsonDocument({ reset }));
  else if (!flags.quiet)
    shell.stderr.write(`${plural(reset, "page", "pages")} marked; nuthatch enrich --missing makes their metadata anew\n`);
  return exitCodes.ok;
}
