import { mkdirSync, statSync } from "node:fs";
import type { DocumentType, Page } from "../../core/records.ts";
import { SetupError } from "../../engine/config/index.ts";
import { frontMatter, frontMatterStart, ManagedFolder, pagePath } from "../../engine/formats/index.ts";
import { type PageText, pageTexts } from "../read-page/page-text.ts";
import type { ExportTarget, FileFormat } from "./export-formats.ts";
import { readablePages } from "./export-tally.ts";

/** Document types with readable text. */
export const textTypes: ReadonlySet<DocumentType> = new Set(["html", "markdown", "text"]);

/**
 * A folder that mirrors the site. Unchanged files are not rewritten; in an export of whole sites, files of pages that are gone are
 * deleted.
 */
export const markdownFormat: FileFormat = {
  writes: "place",
  async write(app, { range, tally }, place) {
    const folder = openFolder(place);
    const textOf = pageTexts(app, "markdown");
    const sites = new Map((await app.store.sites()).map(({ id, url }) => [id, url]));
    let [saved, left, others] = [0, 0, 0];
    for await (const page of readablePages(app, range, tally)) {
      const text = await textOf(page);
      if (!text) left += 1;
      else if (!textTypes.has(text.type)) others += 1;
      else if (folder.write({ ...fileOf(page, text), site: sites.get(page.siteId)! })) saved += 1;
    }
    const isWhole = range.runId === undefined && range.since === undefined;
    const whole = isWhole ? (range.siteId === undefined ? [...sites.values()] : [sites.get(range.siteId)!]) : [];
    const { written, removed, kept } = folder.close(new Set(whole));
    return {
      saved,
      left,
      notes: [`${written} written, ${saved - written} as they were, ${removed} removed`, ...skippedNote(others), ...keptNote(kept)],
    };
  },
};

const fileOf = (page: Page, text: PageText) => ({
  path: pagePath(page.url, ".md"),
  content: `${frontMatter(page, new Date(text.version.fetchedAt).toISOString())}\n${text.written}`,
  beginning: frontMatterStart(page.url),
});

const skippedNote = (others: number) => (others === 0 ? [] : [`passed over, being feeds or other data: ${others}`]);

const keptNote = (kept: readonly string[]) =>
  kept.length === 0
    ? []
    : [`left alone, not being ours: ${kept.slice(0, 5).join(", ")}${kept.length > 5 ? `, and ${kept.length - 5} more` : ""}`];

function openFolder({ path, isReplacing }: ExportTarget): ManagedFolder {
  makeFolder(path);
  if (!isReplacing && ManagedFolder.isForeign(path))
    throw new SetupError(`${path} holds files that are not of an export`, `name another folder, or -O ${path} to write among them`);
  try {
    return new ManagedFolder(path, isReplacing);
  } catch (cause) {
    throw new SetupError(`the list of our files in ${path} cannot be read`, "remove .nuthatch-export.json there: files on it stay", {
      cause,
    });
  }
}

/** Creates the folder if it does not exist. */
export function makeFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isFile()) throw new SetupError(`${path} is a file`, "name a folder");
  try {
    mkdirSync(path, { recursive: true });
  } catch (cause) {
    throw new SetupError(`${path} cannot be made`, "check the folder and its permissions", { cause });
  }
}
