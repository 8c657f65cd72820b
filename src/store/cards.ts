import type { Hash64 } from "../records.ts";

/** What people say of a site. */
export interface SiteCard {
  readonly name: string;
  readonly tags: readonly string[];
  /** Options of its crawls, as people write them. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly changedAt: number;
}

/** What people say of a page. */
export interface PageCard {
  readonly note: string;
  readonly tags: readonly string[];
  readonly isMuted: boolean;
  /** Values of metadata that somebody knows better than the page. */
  readonly overrides: Readonly<Record<string, string | readonly string[]>>;
}

/** What people say of a link. */
export interface LinkCard {
  readonly note: string;
  readonly isPinned: boolean;
  readonly isMuted: boolean;
  /** In place of what keywords make of it. */
  readonly scoreOverride: number | undefined;
}

/** What people say of a host. It holds for every run, here and elsewhere. */
export interface HostCard {
  readonly host: string;
  /** At least so many milliseconds from one request to the next; 0 where nothing was said. */
  readonly delay: number;
  /** Nothing is asked of it before this moment; 0 where nothing was said. */
  readonly pausedUntil: number;
  readonly changedAt: number;
}

/** A part of pages that somebody does not want to hear of. */
export interface IgnoredPart {
  readonly id: number;
  readonly siteId: number;
  /** Only on this page; else on all of the site. */
  readonly pageId: number | undefined;
  readonly kind: "text" | "pattern";
  readonly value: string;
  readonly madeAt: number;
}

/** What is undefined stays as it is. */
export type Edit<T> = { readonly [field in keyof T]?: T[field] | undefined };

/** What people write about sites, pages, links and hosts. */
export interface Cards {
  site(siteId: number): Promise<SiteCard | undefined>;
  setSite(siteId: number, card: Edit<Omit<SiteCard, "changedAt">>, at: number): Promise<void>;
  setPage(pageId: number, card: Edit<PageCard>, at: number): Promise<void>;
  /** A score of null goes back to what keywords make of it. */
  setLink(
    place: { readonly siteId: number; readonly linkId: number },
    card: Edit<Omit<LinkCard, "scoreOverride"> & { readonly scoreOverride: number | null }>,
    at: number,
  ): Promise<void>;
  /** What people say of links of a site, by number. */
  links(siteId: number): Promise<ReadonlyMap<number, LinkCard>>;
  /** The number of the link with this URL; made where nobody has it yet. */
  link(url: string, hash: Hash64): Promise<number>;
  /** Nothing is known of it on this site any more, until a crawl finds it again. */
  removeLink(siteId: number, linkId: number): Promise<void>;
  /** The hosts that something was said of. */
  hosts(): Promise<readonly HostCard[]>;
  /** What is ignored on a site, and on its pages. */
  ignored(siteId: number): Promise<readonly IgnoredPart[]>;
  /** Answers its number, and whether it is new. */
  ignore(part: Omit<IgnoredPart, "id">): Promise<{ readonly id: number; readonly isNew: boolean }>;
  /** Answers whether there was one. */
  heedAgain(siteId: number, id: number): Promise<boolean>;
  setHost(host: string, card: Edit<Pick<HostCard, "delay" | "pausedUntil">>, at: number): Promise<void>;
}
