/** The fields of API responses that the screens use; /openapi.json has the full schemas. */

export interface FoundValue {
  readonly value: unknown;
  readonly source: string;
  readonly confidence?: number;
}

export interface PageRow {
  readonly id: number;
  readonly siteId: number;
  readonly crawlId: number;
  readonly url: string;
  readonly status: number;
  readonly contentType: string | null;
  readonly depth: number;
  readonly parentUrl: string | null;
  readonly discoveredVia: string;
  readonly fetchedAt: string;
  readonly previousFetchedAt: string | null;
  readonly durationMs: number;
  readonly bytes: number;
  readonly fromCache: boolean;
  readonly rendered: boolean;
  readonly change: string;
  readonly metadata: Readonly<Record<string, FoundValue | undefined>>;
  readonly verdict: string | null;
  readonly noindex: boolean;
  readonly canonicalUrl: string | null;
  readonly duplicateOf: string | null;
  readonly nearDuplicateOf: string | null;
  readonly linkCount: number;
  readonly gone: boolean;
  readonly note: string;
  readonly tags: readonly string[];
  readonly muted: boolean;
}

export interface LinkSource {
  readonly pageId: number;
  readonly page: string;
  readonly text: string;
  readonly heading: string;
  readonly context: string;
}

export interface LinkRow {
  readonly id: number;
  readonly siteId: number;
  readonly url: string;
  readonly score: number;
  readonly keywords: Readonly<Record<string, number>>;
  readonly text: string;
  readonly type: string;
  readonly pages: number;
  readonly new: boolean;
  readonly firstCrawlId: number;
  readonly comment: string | null;
  readonly pageId: number | null;
  readonly pinned: boolean;
  readonly muted: boolean;
  readonly note: string;
  readonly sources: readonly LinkSource[];
}

export interface PageDiff {
  readonly from: { readonly version: number; readonly at: string };
  readonly to: { readonly version: number; readonly at: string };
  /** Removed and added text, with the unchanged text before and after it. */
  readonly text: readonly {
    readonly before: string | null;
    readonly removed: readonly string[];
    readonly added: readonly string[];
    readonly after: string | null;
  }[];
  readonly linksAdded: readonly { readonly url: string; readonly text: string }[];
  readonly linksRemoved: readonly { readonly url: string; readonly text: string }[];
  readonly fields: readonly { readonly field: string; readonly before: string | null; readonly now: string | null }[];
  readonly words: number;
  readonly masked: number;
  readonly hasText: boolean;
}

export const titleOf = ({ metadata, url }: Pick<PageRow, "metadata" | "url">): string => {
  const title = metadata.title?.value;
  return typeof title === "string" && title !== "" ? title : url;
};
