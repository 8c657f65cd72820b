import type { Hash64 } from "../core/records.ts";

/** What users entered for a site. */
export interface SiteSettings {
  readonly name: string;
  readonly tags: readonly string[];
  /** Options of its crawls, as users write them. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly changedAt: number;
}

/** What users entered for a page. */
export interface PageEdits {
  readonly note: string;
  readonly tags: readonly string[];
  readonly isMuted: boolean;
  /** Metadata values corrected by users. */
  readonly overrides: Readonly<Record<string, string | readonly string[]>>;
}

/** What users entered for a link. */
export interface LinkEdits {
  readonly note: string;
  readonly isPinned: boolean;
  readonly isMuted: boolean;
  /** Replaces the score from keywords. */
  readonly scoreOverride: number | undefined;
}

/** What users set for a host. It applies to every run, in every process. */
export interface HostSettings {
  readonly host: string;
  /** Minimum milliseconds between two requests; 0 if not set. */
  readonly delay: number;
  /** No requests before this time; 0 if not set. */
  readonly pausedUntil: number;
  readonly changedAt: number;
}

/** A part of pages that users ignore when versions are compared. */
export interface IgnoredPart {
  readonly id: number;
  readonly siteId: number;
  /** If set, only on this page; else on the whole site. */
  readonly pageId: number | undefined;
  readonly kind: "text" | "pattern";
  readonly value: string;
  readonly madeAt: number;
}

/** Undefined fields stay unchanged. */
export type Edit<T> = { readonly [field in keyof T]?: T[field] | undefined };

/** What users enter for sites, pages, links and hosts. */
export interface UserDataStore {
  site(siteId: number): Promise<SiteSettings | undefined>;
  setSite(siteId: number, edit: Edit<Omit<SiteSettings, "changedAt">>, at: number): Promise<void>;
  setPage(pageId: number, edit: Edit<PageEdits>, at: number): Promise<void>;
  /** A score of null restores the score from keywords. */
  setLink(
    place: { readonly siteId: number; readonly linkId: number },
    edit: Edit<Omit<LinkEdits, "scoreOverride"> & { readonly scoreOverride: number | null }>,
    at: number,
  ): Promise<void>;
  /** User entries for the links of a site, by link id. */
  links(siteId: number): Promise<ReadonlyMap<number, LinkEdits>>;
  /** The id of the link with this URL; inserted if unknown. */
  link(url: string, hash: Hash64): Promise<number>;
  /** Removes everything stored about the link on this site, until a crawl finds it again. */
  removeLink(siteId: number, linkId: number): Promise<void>;
  /** The hosts that have settings. */
  hosts(): Promise<readonly HostSettings[]>;
  /** The ignored parts of a site and of its pages. */
  ignored(siteId: number): Promise<readonly IgnoredPart[]>;
  /** Returns its id, and whether it is new. */
  ignore(part: Omit<IgnoredPart, "id">): Promise<{ readonly id: number; readonly isNew: boolean }>;
  /** Returns whether it existed. */
  stopIgnoring(siteId: number, id: number): Promise<boolean>;
  setHost(host: string, edit: Edit<Pick<HostSettings, "delay" | "pausedUntil">>, at: number): Promise<void>;
}
