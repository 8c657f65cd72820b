/** The formats of `nuthatch export`: one record each, so that help can list them without loading the code that writes them. */
import type { App } from "../../engine/app.ts";
import { type Exported, type ExportRange, exported } from "./export.ts";
import type { ExportTally } from "./export-tally.ts";

export interface ExportRequest {
  readonly range: ExportRange;
  readonly what: Exported;
  /** Counts pages that are written and left out. */
  readonly tally: ExportTally;
  /** The output file of a stream, for formats that may need further files beside it; undefined for standard output. */
  readonly file?: ExportTarget | undefined;
}

/** Output in parts, to a file or standard output; the consumer sets the pace. */
export interface StreamFormat {
  readonly writes: "stream";
  parts(app: App, request: ExportRequest): AsyncIterable<string | Uint8Array>;
}

/** The format writes its own files, at the given path. */
export interface FileFormat {
  readonly writes: "place";
  write(app: App, request: ExportRequest, place: ExportTarget): Promise<ExportReport>;
}

export interface ExportTarget {
  readonly path: string;
  /** Whether existing files may be replaced. */
  readonly isReplacing: boolean;
  /** Whether a single file without an index is wanted. */
  readonly isAlone?: boolean;
}

export interface ExportReport {
  readonly saved: number;
  /** Pages that could not be written because their bodies are not stored. */
  readonly left: number;
  /** One sentence each. */
  readonly notes: readonly string[];
}

/** Flags that select the pages of an export. */
export const rangeFlags = ["run", "since", "anyVerdict", "includeNoindex", "limit"] as const;
export type RangeFlag = (typeof rangeFlags)[number];

export interface FormatInfo {
  readonly about: string;
  /** Kinds of records it can export; the first is the default. */
  readonly what: readonly Exported[];
  /** What `-o` names; a stream may do without. */
  readonly place: "file" | "folder";
  /** Whether the file stays valid when records are appended. */
  readonly isAddable: boolean;
  /** File names that select this format by default. */
  readonly ending?: RegExp;
  /** Set if it covers one site: what the result is called. */
  readonly oneSite?: string;
  /** Flags that it accepts. Default: run, since and anyVerdict. */
  readonly takes?: readonly RangeFlag[];
  load(): Promise<StreamFormat | FileFormat>;
}

const PAGES = ["run", "since", "anyVerdict", "includeNoindex"] as const satisfies readonly RangeFlag[];

export const formats = {
  jsonl: {
    about: "one record a line",
    what: exported,
    place: "file",
    isAddable: true,
    ending: /\.(jsonl|ndjson)$/i,
    load: async () => (await import("./export-records.ts")).jsonlFormat,
  },
  csv: {
    about: "a table for spreadsheets",
    what: exported,
    place: "file",
    isAddable: true,
    ending: /\.csv$/i,
    load: async () => (await import("./export-records.ts")).csvFormat,
  },
  md: {
    about: "a folder of Markdown, a file a page, as the site is laid out",
    what: ["pages"],
    place: "folder",
    isAddable: false,
    takes: PAGES,
    load: async () => (await import("./export-markdown.ts")).markdownFormat,
  },
  llms: {
    about: "llms.txt and llms-full.txt: a site for models",
    oneSite: "llms.txt",
    what: ["pages"],
    place: "folder",
    isAddable: false,
    takes: PAGES,
    load: async () => (await import("./export-llms.ts")).llmsFormat,
  },
  sitemap: {
    about: "the addresses of a site, and since when they say what they say",
    oneSite: "a sitemap",
    what: ["pages"],
    place: "file",
    isAddable: false,
    takes: PAGES,
    ending: /\.xml$/i,
    load: async () => (await import("./export-sitemap.ts")).sitemapFormat,
  },
  feed: {
    about: "an Atom feed of what changed, the latest first",
    what: ["changes"],
    place: "file",
    isAddable: false,
    takes: [...PAGES, "limit"],
    ending: /\.atom$/i,
    load: async () => (await import("./export-feed.ts")).feedFormat,
  },
  graphml: {
    about: "the pages of a site and the links among them, as a graph (GraphML)",
    oneSite: "a graph",
    what: ["pages"],
    place: "file",
    isAddable: false,
    takes: [],
    ending: /\.graphml$/i,
    load: async () => (await import("./export-graph.ts")).graphmlFormat,
  },
  gexf: {
    about: "the same for Gephi (GEXF)",
    oneSite: "a graph",
    what: ["pages"],
    place: "file",
    isAddable: false,
    takes: [],
    ending: /\.gexf$/i,
    load: async () => (await import("./export-graph.ts")).gexfFormat,
  },
  pagedir: {
    about: "a page directory of the Tiny Search Engine: every stored page, as it came",
    what: ["pages"],
    place: "folder",
    isAddable: false,
    load: async () => (await import("./export-pagedir.ts")).pagedirFormat,
  },
  warc: {
    about: "a web archive (WARC 1.1) with its index (CDXJ)",
    what: ["pages"],
    place: "file",
    isAddable: false,
    takes: ["run"],
    ending: /\.warc(\.gz)?$/i,
    load: async () => (await import("./export-warc.ts")).warcFormat,
  },
  sqlite: {
    about: "a copy of the data file, or of one site in it",
    what: ["pages"],
    place: "file",
    isAddable: false,
    takes: [],
    ending: /\.(db|sqlite3?)$/i,
    load: async () => (await import("./export-sqlite.ts")).sqliteFormat,
  },
} as const satisfies Record<string, FormatInfo>;

export type FormatName = keyof typeof formats;
