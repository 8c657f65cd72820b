import type { ConfigInput } from "../config/index.ts";
import type { RunResult } from "../crawl/index.ts";
import type { PageDiff } from "../operations/page-diff.ts";
import type { Page, TopLink, VisitKind } from "../records.ts";
import type { DataSchema, Draft, Gathered, NoData } from "./data.ts";

type Awaitable<T> = T | Promise<T>;

/** A plugin: a name, and hooks in the order of a page's life. Each may narrow or add; none can pass the politeness of the crawl. */
export interface PluginDefinition<Schema extends DataSchema = DataSchema<NoData, NoData>> {
  /** Letters, digits, `-`, `_` and `.`; the ledger shows it as `plugin:<name>`. */
  readonly name: string;
  /** Before or after the others; without it, in the order they are given. */
  readonly enforce?: "pre" | "post" | undefined;
  /** What it adds to `page.data`: a zod schema, or any other of that standard. Without one the data is kept untyped. */
  readonly data?: Schema | undefined;

  /** Options it sets, of scope, run and order: those of politeness, robots and access belong to whoever starts the crawl. */
  config?(options: Readonly<ConfigInput>): ConfigInput | undefined;
  /** Before the first request, and after the last. */
  setup?(run: PluginRun): Awaitable<unknown>;
  teardown?(): Awaitable<unknown>;
  /** More URLs to begin with. In scope as seeds are, but no private address is opened for them. */
  seeds?(): Iterable<string> | AsyncIterable<string>;
  /** Another spelling of a URL, before it is compared with those heard of. Answers at once. */
  normalizeUrl?(url: URL): URL | string | undefined;
  /** Whether a URL in scope is left out. Answers at once; the first plugin that says something decides. */
  filterUrl?(url: URL, from: URL | undefined): FilterVerdict | undefined;
  /** Added to the worth of a URL, which is 0 to 1 by itself, where the order is "best". Answers at once. */
  priority?(url: URL, factors: PriorityFactors): number | undefined;
  /** Headers to send to this URL's own origin, or how long to leave it alone. Its host's turn has come already. */
  beforeFetch?(request: PluginRequest): Awaitable<BeforeFetch | undefined>;
  /** A look at the answer, whatever it was. */
  afterFetch?(response: PluginResponse): Awaitable<unknown>;
  /** Links that the page does not show as such. They are judged like any other. */
  extractLinks?(document: PluginDocument): Awaitable<Iterable<string | URL> | undefined>;
  /** Which words apply to links of a page that is new or changed, and how far. Words that are no keywords weigh 0.25. */
  scoreLinks?(links: readonly PluginLink[], page: { readonly url: URL }): Awaitable<Iterable<PluginMatch> | undefined>;
  /** Called for each element of an HTML page that matches the selector, among its first 20,000. */
  readonly onHtml?:
    | { readonly [selector: string]: (element: HtmlElement, page: VisitedPage<Draft<Schema>>) => Awaitable<unknown> }
    | undefined;
  /** The page as it is stored, before the loop gets it; the last chance to add to its data. */
  onPage?(page: PageWith<Draft<Schema>>): Awaitable<unknown>;
  /** The same, for pages that are new, changed, gone or unlinked; with what is different, where an earlier version is stored. */
  onChange?(page: PageWith<Draft<Schema>>, diff: PageDiff | undefined): Awaitable<unknown>;
  onRunEnd?(result: RunResult): Awaitable<unknown>;
}

/** What `definePlugin` makes. `Data` is what it adds to `page.data`. */
export interface Plugin<Data extends object = object> {
  readonly name: string;
  readonly definition: PluginDefinition;
  /** For the compiler alone. */
  readonly "~data"?: Data | undefined;
}

export interface PluginRun {
  readonly seeds: readonly string[];
  /** Aborted when the run ends. */
  readonly signal: AbortSignal;
}

/** `skip` says why, and is kept with the URL; "allow" means that no later plugin is asked. */
export type FilterVerdict = "allow" | { readonly skip: string };

/** Each 0 to 1, where 1 is the better end. */
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
  /** Times it was asked before, in vain. */
  readonly attempts: number;
}

export interface BeforeFetch {
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** `"10m"`, or milliseconds; not under a second. */
  readonly defer?: string | number | undefined;
}

export interface PluginResponse {
  readonly url: URL;
  readonly kind: "body" | "not-modified" | "moved" | "gone" | "refused" | "failed";
  readonly status: number | undefined;
  readonly contentType: string | undefined;
  readonly durationMs: number;
  /** A copy of the body, where there is one. */
  bytes(): Uint8Array | undefined;
}

export interface PluginDocument {
  readonly url: URL;
  readonly contentType: string | undefined;
  /** The body, decoded. */
  readonly text: string;
}

/** A link as its page shows it. */
export interface PluginLink {
  readonly url: string;
  readonly text: string;
  readonly title: string;
  /** The heading it stands under. */
  readonly heading: string;
  /** The block it stands in. */
  readonly context: string;
}

export interface PluginMatch {
  /** Of the link, as it was given. */
  readonly url: string;
  readonly keyword: string;
  /** 0 to 1. */
  readonly match: number;
  /** Why, in a few words; kept with the link. */
  readonly comment?: string | undefined;
}

export interface HtmlElement {
  /** Of the element, in lower case. */
  readonly name: string;
  attr(name: string): string | undefined;
  /** The text in it, with white space as it stands. */
  text(): string;
  /** What is inside, as HTML. */
  html(): string;
  find(selector: string): HtmlElement[];
}

/** A page that was fetched and is not stored yet. */
export interface VisitedPage<Data> {
  readonly url: string;
  readonly depth: number;
  readonly status: number;
  readonly contentType: string | undefined;
  readonly data: Data;
}

export type PageWith<Data> = Page & { readonly data: Data; readonly links: PageLinks };

/** The links of a page that keywords apply to; none without keywords. */
export interface PageLinks {
  /** The best, the best first: at most ten. */
  top(most: number): readonly TopLink[];
}

/** The types of `page.data` are read off its `data` schema. */
export function definePlugin<Schema extends DataSchema = DataSchema<NoData, NoData>>(
  definition: PluginDefinition<Schema>,
): Plugin<Gathered<Schema> & object> {
  // Which schema it was only the compiler needs to know.
  return { name: definition.name, definition: definition as unknown as PluginDefinition };
}

export type MaybePlugin = Plugin | false | null | undefined | "" | 0;

/** All that a list of plugins adds. Of one that may be left out it is not sure. */
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
