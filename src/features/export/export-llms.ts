import { closeSync, existsSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { sectionOfWords } from "../../analysis/context/index.ts";
import type { Page } from "../../core/records.ts";
import type { App } from "../../engine/app.ts";
import { SetupError } from "../../engine/config/index.ts";
import {
  folderTitle,
  type LlmsHead,
  LlmsSections,
  linkLine,
  llmsHead,
  OPTIONAL_SECTION,
  PartFile,
  sectionHead,
  sourceHead,
} from "../../engine/formats/index.ts";
import { refusedUses } from "../pages/refused-uses.ts";
import { pageTexts } from "../read-page/page-text.ts";
import type { ExportRange } from "./export.ts";
import type { FileFormat } from "./export-formats.ts";
import { makeFolder, textTypes } from "./export-markdown.ts";
import { exportedSite } from "./export-site.ts";
import { ExportTally, readablePages } from "./export-tally.ts";

const FILES = ["llms.txt", "llms-full.txt"] as const;

/**
 * Writes llms.txt (links under headings) and llms-full.txt (the whole pages). Sections are collected on disk, so that memory does not
 * grow with the site.
 */
export const llmsFormat: FileFormat = {
  writes: "place",
  async write(app, { range, tally }, { path, isReplacing }) {
    const head = await headOf(app, range);
    makeFolder(path);
    const existing = FILES.find((name) => existsSync(join(path, name)));
    if (existing && !isReplacing) throw new SetupError(`${join(path, existing)} exists already`, `-O ${path} replaces it`);
    const sections = await sectionsOf(app, range);
    const parts = new SectionFiles(path);
    try {
      const textOf = pageTexts(app, "markdown");
      let [saved, left] = [0, 0];
      for await (const page of readablePages(app, range, tally)) {
        const text = await textOf(page);
        if (text && !textTypes.has(text.type)) continue;
        const { links, full } = parts.filesFor(sectionFor(page, sections));
        links.add(linkLine(linkOf(page)));
        if (text) full.add(`${sourceHead(page, new Date(text.version.fetchedAt).toISOString())}${text.written}`);
        saved += 1;
        left += text ? 0 : 1;
      }
      parts.write(head);
      const refusal = await refusedUses(app, (await exportedSite(app, range, "llms.txt")).url);
      return { saved, left, notes: refusal === undefined ? [] : [refusal] };
    } finally {
      parts.remove();
    }
  },
};

/** Name and description of the site, from its first page. */
async function headOf(app: App, range: ExportRange): Promise<LlmsHead> {
  const site = await exportedSite(app, range, "llms.txt");
  let home: Page | undefined;
  for await (const page of app.store.pages({ siteId: site.id, isThere: true, sort: "depth", limit: 20 })) {
    if (home === undefined || page.url === site.url) home = page;
  }
  const { siteName, title, description } = home?.metadata ?? {};
  // A name that was only derived from the host is worse than the first page's title.
  const name = siteName?.source === "domain" ? (title ?? siteName) : (siteName ?? title);
  return { name: name?.value ?? new URL(site.url).host, description: description?.value };
}

async function sectionsOf(app: App, range: ExportRange): Promise<LlmsSections> {
  const sections = new LlmsSections();
  for await (const { url } of readablePages(app, range, new ExportTally())) sections.count(url);
  return sections;
}

/** Pages without a folder in their path are sorted into the sections of a context. */
function sectionFor(page: Page, sections: LlmsSections): string {
  const name = sections.nameFor(page.url);
  if (name !== undefined) return name;
  const category = sectionOfWords(
    `${folderTitle(new URL(page.url).pathname.slice(1, 100))} ${page.metadata.title?.value.slice(0, 100) ?? ""}`,
  );
  return category === undefined ? "Pages" : folderTitle(category);
}

const linkOf = ({ url, metadata: { title, description } }: Page) => {
  const { host, pathname, search } = new URL(url);
  return {
    url,
    title: title?.value.trim() || (pathname === "/" ? host : pathname + search),
    description: description?.value.trim() || undefined,
  };
};

/** Temporary files per heading, in the order in which the headings first appear on the site. */
class SectionFiles {
  readonly #folder: string;
  readonly #parts = new Map<string, { readonly links: PartFile; readonly full: PartFile }>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  filesFor(name: string) {
    const place = (kind: string) => join(this.#folder, `.llms-${this.#parts.size}-${kind}.part`);
    const known = this.#parts.get(name) ?? { links: new PartFile(place("links")), full: new PartFile(place("full")) };
    this.#parts.set(name, known);
    return known;
  }

  write(head: LlmsHead): void {
    const optional = this.#parts.get(OPTIONAL_SECTION);
    const named = [...this.#parts].filter(([name]) => name !== OPTIONAL_SECTION);
    const ordered = [...named, ...(optional ? [[OPTIONAL_SECTION, optional] as const] : [])];
    this.#file(FILES[0], (file) => {
      writeSync(file, llmsHead(head));
      for (const [name, { links }] of ordered) {
        writeSync(file, sectionHead(name));
        links.copyTo(file);
      }
    });
    this.#file(FILES[1], (file) => {
      writeSync(file, llmsHead(head));
      for (const [, { full }] of ordered) full.copyTo(file);
    });
  }

  /** Writes to a temporary name and renames at the end, so that no incomplete file has the final name. */
  #file(name: string, fill: (file: number) => void): void {
    const part = join(this.#folder, `.${name}.part`);
    const file = openSync(part, "w");
    try {
      fill(file);
    } finally {
      closeSync(file);
    }
    renameSync(part, join(this.#folder, name));
  }

  remove(): void {
    for (const { links, full } of this.#parts.values()) for (const part of [links, full]) part.remove();
    for (const name of FILES) rmSync(join(this.#folder, `.${name}.part`), { force: true });
  }
}
