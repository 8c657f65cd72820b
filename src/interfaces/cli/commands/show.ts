import { writeFile } from "node:fs/promises";
import type { Command } from "commander";
import type { Page } from "../../../core/records.ts";
import type { App } from "../../../engine/app.ts";
import { SetupError } from "../../../engine/config/index.ts";
import { unpackLinks } from "../../../engine/crawl/index.ts";
import { revisitOfPage } from "../../../features/due/due.ts";
import { metadataFields, shownMetadata } from "../../../features/enrich/page-metadata.ts";
import { storedMetadata } from "../../../features/enrich/stored-metadata.ts";
import { explain } from "../../../features/explain/explain.ts";
import { findPage } from "../../../features/pages/find.ts";
import type { Version } from "../../../store/index.ts";
import { openAnswer } from "../answer.ts";
import { newCommand } from "../command.ts";
import { changesWords } from "../crawl/due.ts";
import { metadataLines } from "../enrich/metadata-lines.ts";
import type { Globals } from "../globals.ts";
import { paragraph, type Shell } from "../shell.ts";
import { withStored } from "./stored.ts";

interface ShowFlags extends Globals {
  readonly links?: boolean;
  readonly raw?: boolean;
  readonly screenshot?: string;
}

export function build(shell: Shell, _exit: (code: number) => void): Command {
  return newCommand(
    "show",
    "Everything about one page: what it is, where each value came from (-v: and what lost), its versions and links.",
  )
    .argument("<page>", "its URL or number")
    .option("--links", "list its links")
    .option("--raw", "print the stored body as it came, and nothing else")
    .option("--screenshot <file>", "write the picture that --save screenshot keeps of a page to a file, and say nothing else")
    .action(async (text: string, flags: ShowFlags) => {
      const answer = openAnswer(shell, flags, flags.raw ? "raw" : "one");
      await withStored(flags, shell, async (app) => {
        const page = await findPage(app, text);
        const versions = await app.store.versions(page.id);
        if (flags.raw) {
          const body = versions[0]?.bodyHash ? await app.store.body(versions[0].bodyHash) : undefined;
          return answer({ text: body ?? "" });
        }
        if (flags.screenshot !== undefined) return saveScreenshot(app, page, flags.screenshot);
        const packed = await app.store.packedLinks(page.id);
        const links = packed ? unpackLinks(packed.links(), app.store.hashSeed) : [];
        const { sentence, chain } = await explain(app, { url: page.url });
        const inlinks = await app.store.inlinks(links.find((link) => link.url === page.url)?.hash ?? (await hashOf(app, page.url)), 5);
        const shown = links.map(({ url, text: label, title, heading, rel, kind, position }) => ({
          url,
          text: label,
          title,
          heading,
          rel,
          kind,
          position,
        }));
        const revisit = await revisitOfPage(app, page);
        const stored = await storedMetadata(app, page);
        const shownWith = (showSources: boolean) => stored && shownMetadata(stored.metadata, { fields: metadataFields, showSources });
        const document = {
          page,
          metadata: shownWith(true) ?? null,
          explanation: sentence,
          chain,
          revisit: revisit ?? null,
          versions,
          inlinks,
          links: shown,
        };
        const lines = [
          page.url,
          `  ${page.status} ${page.contentType ?? ""}  ${page.bytes} bytes  depth ${page.depth}  ${page.change}`,
          ...metadataLines({ ...page.metadata, ...shownWith((flags.verbose ?? 0) > 0) }).map((line) => `  ${line}`),
          ...(stored?.isCurrent === false ? ["  these metadata are out of date: nuthatch enrich --missing makes them anew"] : []),
          `  seen: ${page.fetchedAt}${page.previousFetchedAt ? `, before that ${page.previousFetchedAt}` : ""}`,
          ...(revisit ? [`  ${changesWords(revisit)}; next look ${revisit.nextLookAt}`] : []),
          ...(page.canonicalUrl ? [`  canonical: ${page.canonicalUrl}`] : []),
          ...(page.duplicateOf ? [`  same text and links as ${page.duplicateOf}`] : []),
          ...(page.nearDuplicateOf ? [`  nearly the same text as ${page.nearDuplicateOf}`] : []),
          `  why: ${sentence}`,
          `  way: ${chain.join(" → ")}`,
          ...(inlinks.length === 0 && page.parentUrl ? [`  linked from ${page.parentUrl}`] : []),
          ...inlinks.map((from) => `  linked from ${from.page} “${from.text}”`),
          ...versions.map(
            (version) =>
              `  version ${version.number}: run ${version.runId}, ${new Date(version.fetchedAt).toISOString()}, ${version.wordCount} words, ${version.linkCount} links${renderedWords(version)}`,
          ),
          ...(flags.links ? links.map((link) => `  → ${link.url} “${link.text}”`) : []),
        ];
        return answer({ document, text: paragraph(lines) });
      });
    });
}

const renderedWords = ({ renderedBy, hasScreenshot }: Version) =>
  renderedBy === null ? "" : `, as ${renderedBy} shows it${hasScreenshot ? ", with a screenshot" : ""}`;

/** An existing file is not replaced. */
async function saveScreenshot({ store }: App, { id, url }: Page, path: string): Promise<void> {
  const picture = await store.rendering.picture(id);
  const bytes = picture && (await store.bodyUncached(picture.bodyHash));
  if (!bytes) throw new SetupError(`no screenshot of ${url} is stored`, `nuthatch crawl ${url} --render always --save raw,screenshot`);
  await writeFile(path, bytes, { flag: "wx" }).catch((cause: unknown) => {
    throw new SetupError(`${path} cannot be written: ${(cause as Error).message}`, "choose another name: a file that is there stays", {
      cause,
    });
  });
}

async function hashOf(app: App, url: string) {
  const { hash64 } = await import("../../../analysis/url/index.ts");
  return hash64(url, app.store.hashSeed);
}
