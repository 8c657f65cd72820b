import { type IgnoredKind, type Mask, maskOf, type TextHunk } from "../../analysis/recrawl/index.ts";
import { folderTemplateOf } from "../../analysis/url/index.ts";
import type { Page, PageMetadata } from "../../core/records.ts";
import type { App } from "../../engine/app.ts";
import type { Version } from "../../store/index.ts";
import { readPage } from "../read-page/page-reader.ts";
import type { StoredContent } from "./page-changes.ts";

export interface DiffLink {
  readonly url: string;
  readonly text: string;
}

export interface FieldChange {
  readonly field: string;
  readonly before: string | null;
  readonly now: string | null;
}

/** One of the two compared versions. */
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
  /** Number of words added or removed. */
  readonly words: number;
  /** Differences that are left out because they are noise. */
  readonly masked: number;
  /** False if the bodies are not stored or cannot be read, so that the text could not be compared. */
  readonly hasText: boolean;
}

type DiffedPage = Pick<Page, "id" | "url" | "siteId" | "contentType">;

export interface DiffOptions {
  /** Include noise and ignored parts. */
  readonly all?: boolean | undefined;
  /** Further kinds of content to leave out. */
  readonly ignore?: readonly IgnoredKind[] | undefined;
}

/** The differences between two versions of a page. */
export async function diffVersions(
  app: App,
  page: DiffedPage,
  [from, to]: readonly [Version, Version],
  { all = false, ignore = [] }: DiffOptions = {},
): Promise<PageDiff> {
  const [before, now] = [await contentOf(app, page, from), await contentOf(app, page, to)];
  const noise = all ? undefined : await knownNoise(app, page, to.runId);
  const ignored = all ? [] : (await app.store.userData.ignored(page.siteId)).filter(({ pageId }) => (pageId ?? page.id) === page.id);
  const request = { before, now, hashSeed: app.store.hashSeed, noise, ignored, kinds: ignore };
  const result = await readPage(app, "news", request, [before.bytes, now.bytes, before.links, now.links]);
  const { text, linksAdded, linksRemoved, fields, words, masked } = "answer" in result ? result.answer : NO_CHANGES;
  const hasText = "answer" in result && before.bytes !== undefined && now.bytes !== undefined;
  return {
    from: markOf(from),
    to: markOf(to),
    text: hasText ? text : [],
    linksAdded,
    linksRemoved,
    fields: hasText ? fields : fieldsBetween(from, to, maskOf(ignored, ignore)),
    words: hasText ? words : 0,
    masked,
    hasText,
  };
}

/** True if there is nothing to show. */
export const isEmptyDiff = ({ text, linksAdded, linksRemoved, fields, hasText }: PageDiff): boolean =>
  hasText && text.length + linksAdded.length + linksRemoved.length + fields.length === 0;

export const markOf = ({ number, runId, fetchedAt }: Version): VersionMark => ({
  version: number,
  runId,
  at: new Date(fetchedAt).toISOString(),
});

async function knownNoise(app: App, { siteId, url }: DiffedPage, runId: number) {
  return { runId, template: await app.store.noise(siteId, folderTemplateOf(url)), site: await app.store.noise(siteId, "*") };
}

const NO_CHANGES = { text: [], linksAdded: [], linksRemoved: [], fields: [], words: 0, masked: 0 };

async function contentOf(app: App, { url, contentType }: DiffedPage, version: Version): Promise<StoredContent> {
  const bytes = version.bodyHash === null ? undefined : await app.store.body(version.bodyHash);
  const links = await app.store.history.links(version.id);
  return {
    bytes,
    url,
    contentType: contentType ?? undefined,
    links,
    title: version.metadata.title?.value ?? "",
    at: version.fetchedAt,
  };
}

/** Fields that the page itself declares; counts and topics are derived from its text. */
const FIELDS = ["title", "description", "image", "author", "publishedAt", "modifiedAt", "lang", "siteName", "canonical", "type"] as const;

/** No differences if only one of the two versions went through an extractor: that is not a change of the page. */
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
