import type { App } from "../app.ts";
import { unpackLinks } from "../crawl/index.ts";
import { parseDocument } from "../parse/index.ts";
import type { Page, PageMetadata } from "../records.ts";
import {
  type Content,
  type IgnoredKind,
  type Mask,
  maskOf,
  NoiseMemory,
  newsBetween,
  type TextHunk,
  withoutIgnored,
} from "../recrawl/index.ts";
import type { Version } from "../store/index.ts";
import { templateOf } from "../url/index.ts";

export interface DiffLink {
  readonly url: string;
  readonly text: string;
}

export interface FieldChange {
  readonly field: string;
  readonly before: string | null;
  readonly now: string | null;
}

/** One of the two versions that are compared. */
export interface VersionMark {
  readonly version: number;
  readonly runId: number;
  readonly at: string;
}

export interface PageDiff {
  readonly from: VersionMark;
  readonly to: VersionMark;
  readonly text: readonly TextHunk[];
  readonly linksAdded: readonly DiffLink[];
  readonly linksRemoved: readonly DiffLink[];
  readonly fields: readonly FieldChange[];
  /** Words that came or went. */
  readonly words: number;
  /** Places that differ and are left out, because they differ by themselves. */
  readonly masked: number;
  /** False where the bodies are not stored, so that nothing can be said about the text. */
  readonly hasText: boolean;
}

type DiffedPage = Pick<Page, "id" | "url" | "siteId" | "contentType">;

export interface DiffLens {
  /** Also what changes by itself, and what people ignore. */
  readonly all?: boolean | undefined;
  /** What is left out besides. */
  readonly ignore?: readonly IgnoredKind[] | undefined;
}

/** What became of a page between two of its versions. */
export async function diffVersions(
  app: App,
  page: DiffedPage,
  [from, to]: readonly [Version, Version],
  { all = false, ignore = [] }: DiffLens = {},
): Promise<PageDiff> {
  const [before, now] = [await contentOf(app, page, from), await contentOf(app, page, to)];
  const known = all ? undefined : await knownNoise(app, page);
  const ignored = all ? [] : (await app.store.cards.ignored(page.siteId)).filter(({ pageId }) => (pageId ?? page.id) === page.id);
  const mask = maskOf(ignored, ignore);
  const { text, linksAdded, linksRemoved, words, masked } = newsBetween(
    mask ? withoutIgnored(before.content, mask) : before.content,
    mask ? withoutIgnored(now.content, mask) : now.content,
    { before: from.fetchedAt, now: to.fetchedAt },
    known,
  );
  const hasText = before.hasText && now.hasText;
  const links = (some: readonly DiffLink[]) => some.map(({ url, text }) => ({ url, text }));
  return {
    from: markOf(from),
    to: markOf(to),
    text: hasText ? text : [],
    linksAdded: links(linksAdded),
    linksRemoved: links(linksRemoved),
    fields: fieldsBetween(from, to, mask),
    words: hasText ? words : 0,
    masked,
    hasText,
  };
}

/** Nothing that anybody could be shown. */
export const isEmptyDiff = ({ text, linksAdded, linksRemoved, fields, hasText }: PageDiff): boolean =>
  hasText && text.length + linksAdded.length + linksRemoved.length + fields.length === 0;

export const markOf = ({ number, runId, fetchedAt }: Version): VersionMark => ({
  version: number,
  runId,
  at: new Date(fetchedAt).toISOString(),
});

async function knownNoise(app: App, { siteId, url }: DiffedPage) {
  const [template, site] = [await app.store.noise(siteId, templateOf(url)), await app.store.noise(siteId, "*")];
  return { template: new NoiseMemory(template), site: new NoiseMemory(site) };
}

async function contentOf(app: App, page: DiffedPage, version: Version): Promise<{ content: Content; hasText: boolean }> {
  const bytes = version.bodyHash === null ? undefined : await app.store.body(version.bodyHash);
  const packed = await app.store.history.links(version.id);
  const links = packed ? unpackLinks(packed, app.store.hashSeed) : [];
  const contentType = page.contentType ?? undefined;
  const document = bytes && parseDocument({ bytes, url: page.url, contentType, as: "page", embeddedLinks: false });
  // As the crawl's own judge sees it, whoever has named the page since.
  const title = document?.title?.value ?? version.metadata.title?.value ?? "";
  return { content: { title, blocks: document?.blocks ?? [], links }, hasText: bytes !== undefined };
}

/** What a page says of itself in so many words: counts and topics follow from its text. */
const FIELDS = ["title", "description", "image", "author", "publishedAt", "modifiedAt", "lang", "siteName", "canonical", "type"] as const;

/** A version that an extractor has seen and one that none has seen differ without the page having changed. */
function fieldsBetween({ metadata: from }: Version, { metadata: to }: Version, mask: Mask | undefined): FieldChange[] {
  if (isExtracted(from) !== isExtracted(to)) return [];
  return FIELDS.flatMap((field) => {
    const [before, now] = [from, to].map((metadata) => asText(metadata[field]?.value));
    const isSame = mask ? mask(before ?? "") === mask(now ?? "") : before === now;
    return isSame ? [] : [{ field, before: before!, now: now! }];
  });
}

const isExtracted = (metadata: PageMetadata) => Object.values(metadata).some(({ confidence }) => confidence !== undefined);

const asText = (value: string | readonly string[] | undefined): string | null =>
  value === undefined ? null : typeof value === "string" ? value : value.join("; ");
