import type { Page, TopLink, VisitKind } from "../../core/records.ts";
import type { ConfigInput } from "../../engine/config/index.ts";
import type { RunResult } from "../../engine/crawl/index.ts";
import type { PageDiff } from "../../features/changes/page-diff.ts";
import type { DataSchema, Draft, Gathered, NoData } from "./data.ts";

type Awaitable<T> = T | Promise<T>;

/** A plugin: a name, and hooks in the order of a page's life. A hook may narrow or add; none can bypass politeness. */
export interface PluginDefinition<Schema extends DataSchema = DataSchema<NoData, NoData>> {
  /** Letters, digits, `-`, `_` and `.`; the ledger shows it as `plugin:<name>`. */
  readonly name: string;
  /** Called before or after the others; default: in the given order. */
  readonly enforce?: "pre" | "post" | undefined;
  /** Schema of what it adds to `page.data`: zod, or any Standard Schema. Without one the data is untyped. */
  readonly data?: Schema | undefined;

  /** Options it sets, limited to scope, run and order: politeness, robots and access belong to the person who starts the crawl. */
  config?(options: Readonly<ConfigInput>): ConfigInput | undefined;
  /** Before the first request, and after the last. */
  setup?(run: PluginRun): Awaitable<unknown>;
  teardown?(): Awaitable<unknown>;
  /** Additional seeds. In scope like other seeds, but they open no private address. */
  seeds?(): Iterable<string> | AsyncIterable<string>;
  /** Rewrites a URL before it is compared with known ones. Synchronous. */
  normalizeUrl?(url: URL): URL | string | undefined;
  /** Excludes a URL that is in scope. Synchronous; the first plugin that returns a verdict decides. */
  filterUrl?(url: URL, from: URL | undefined): FilterVerdict | undefined;
  /** Added to the priority of a URL, which is 0 to 1, if the order is "best". Synchronous. */
  priority?(url: URL, factors: PriorityFactors): number | undefined;
  /** Sets headers for the URL's own origin, or defers the request. Called when the host's turn has come. */
  beforeFetch?(request: PluginRequest): Awaitable<BeforeFetch | undefined>;
  /** Called with every answer, including failures. */
  afterFetch?(response: PluginResponse): Awaitable<unknown>;
  /** Links that the page does not contain as such. They are judged like any other. */
  extractLinks?(document: PluginDocument): Awaitable<Iterable<string | URL> | undefined>;
  /** Which keywords match links of a new or changed page, and how well. Words that are not keywords have the weight 0.25. */
  scoreLinks?(links: readonly PluginLink[], page: { readonly url: URL }): Awaitable<Iterable<PluginMatch> | undefined>;
  /** Called for each of the first 20,000 elements of an HTML page that matches the selector. */
  readonly onHtml?:
    | { readonly [selector: string]: (element: HtmlElement, page: VisitedPage<Draft<Schema>>) => Awaitable<unknown> }
    | undefined;
  /** The stored page, before the loop gets it; the last chance to add to its data. */
  onPage?(page: PageWith<Draft<Schema>>): Awaitable<unknown>;
  /** The same for new, changed, gone and unlinked pages; with a diff, if an earlier version is stored. */
  onChange?(page: PageWith<Draft<Schema>>, diff: PageDiff | undefined): Awaitable<unknown>;
  onRunEnd?(result: RunResult): Awaitable<unknown>;
}

/** The result of `definePlugin`. `Data` is the type that it adds to `page.data`. */
export interface Plugin<Data extends object = object> {
  readonly name: string;
  readonly definition: PluginDefinition;
  /** Exists only for type inference. */
  readonly "~data"?: Data | undefined;
}

export interface PluginRun {
  readonly seeds: readonly string[];
  /** Aborted when the run ends. */
  readonly signal: AbortSignal;
}

/** `skip` is the reason, stored with the URL; "allow" means that no later plugin is called. */
export type FilterVerdict = "allow" | { readonly skip: string };

/** Each 0 to 1; 1 is best. */
export interface PriorityFactors {
  readonly type: number;
  readonly freshness: number;
  readonly shallowness: number;
  readonly inbound: number;
  readonly relevance: number;
}

export interface PluginRequest {
  readonly url: URL;
  readonly kind: VisitKind;
  readonly depth: number;
  /** Number of failed attempts so far. */
  readonly attempts: number;
}

export interface BeforeFetch {
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** `"10m"`, or milliseconds; at least a second. */
  readonly defer?: string | number | undefined;
}

export interface PluginResponse {
  readonly url: URL;
  readonly kind: "body" | "not-modified" | "moved" | "gone" | "refused" | "failed";
  readonly status: number | undefined;
  readonly contentType: string | undefined;
  readonly durationMs: number;
  /** A copy of the body, if there is one. */
  bytes(): Uint8Array | undefined;
}

export interface PluginDocument {
  readonly url: URL;
  readonly contentType: string | undefined;
  /** The body, decoded. */
  readonly text: string;
}

/** A link with its context on the page. */
export interface PluginLink {
  readonly url: string;
  readonly text: string;
  readonly title: string;
  /** The heading above it. */
  readonly heading: string;
  /** The text block that contains it. */
  readonly context: string;
}

export interface PluginMatch {
  /** URL of the link, exactly as given to the hook. */
  readonly url: string;
  readonly keyword: string;
  /** 0 to 1. */
  readonly match: number;
  /** A short reason; stored with the link. */
  readonly comment?: string | undefined;
}

export interface HtmlElement {
  /** Element name, in lower case. */
  readonly name: string;
  attr(name: string): string | undefined;
  /** The text content, with its original white space. */
  text(): string;
  /** The inner HTML. */
  html(): string;
  find(selector: string): HtmlElement[];
}

/** A page that was fetched but is not stored yet. */
export interface VisitedPage<Data> {
  readonly url: string;
  readonly depth: number;
  readonly status: number;
  readonly contentType: string | undefined;
  readonly data: Data;
}

export type PageWith<Data> = Page & {
  readonly data: Data;
  readonly links: PageLinks;
  /**
   * The data of all plugins, for one that passes it on: all that `onHtml` and `extractLinks` added, and what `onPage` of the plugins before
   * this one has added so far. A copy, and not held against any schema yet.
   */
  readonly allData: Readonly<Record<string, unknown>>;
};

/** The links of a page that match keywords; empty without keywords. */
export interface PageLinks {
  /** The best links, best first: at most ten. */
  top(most: number): readonly TopLink[];
}

/** The type of `page.data` is inferred from the `data` schema. */
export function definePlugin<Schema extends DataSchema = DataSchema<NoData, NoData>>(
  definition: PluginDefinition<Schema>,
): Plugin<Gathered<Schema> & object> {
  // The schema's type is needed only by the compiler.
  return { name: definition.name, definition: definition as unknown as PluginDefinition };
}

export type MaybePlugin = Plugin | false | null | undefined | "" | 0;

/** The data types of all plugins combined. Those of a plugin that may be falsy are optional. */
export type DataOf<Plugins extends readonly MaybePlugin[]> = Plugins extends readonly [
  infer First extends MaybePlugin,
  ...infer Rest extends readonly MaybePlugin[],
]
  ? AddedBy<First> & DataOf<Rest>
  : Plugins extends readonly []
    ? NoData
    : Partial<AllOf<EachOf<Plugins[number]>>>;

type EachOf<One> = One extends Plugin<infer Data> ? Data : NoData;
type AllOf<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer All) => void ? All : never;
type AddedBy<One extends MaybePlugin> = [One] extends [Plugin<infer Data>] ? Data : Partial<AllOf<EachOf<One>>>;
