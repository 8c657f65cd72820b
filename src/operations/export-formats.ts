/** The formats of `nuthatch export`: one card each, so that help can tell them without loading what writes them. */
import type { App } from "../app.ts";
import { type Exported, type ExportRange, exported } from "./export.ts";
import type { ExportTally } from "./export-tally.ts";

export interface ExportRequest {
  readonly range: ExportRange;
  readonly what: Exported;
  /** Counts what is written, and what is not. */
  readonly tally: ExportTally;
  /** The file a stream goes to, for formats that may need others beside it; standard output has none. */
  readonly file?: ExportPlace | undefined;
}

/** A part at a time, to a file or to standard output; whoever takes them sets the pace. */
export interface StreamFormat {
  readonly writes: "stream";
  parts(app: App, request: ExportRequest): AsyncIterable<string | Uint8Array>;
}

/** Files that the format makes itself, where somebody said. */
export interface PlaceFormat {
  readonly writes: "place";
  write(app: App, request: ExportRequest, place: ExportPlace): Promise<ExportReport>;
}

export interface ExportPlace {
  readonly path: string;
  /** Whether what stands there may be replaced. */
  readonly isReplacing: boolean;
  /** Whether one file is all that is wanted. */
  readonly isAlone?: boolean;
}

export interface ExportReport {
  readonly saved: number;
  /** Pages that could not be written, because their bodies are not stored. */
  readonly left: number;
  /** One sentence each. */
  readonly notes: readonly string[];
}

/** What can be said about which pages go out. */
export const rangeFlags = ["run", "since", "anyVerdict", "includeNoindex", "limit"] as const;
export type RangeFlag = (typeof rangeFlags)[number];

export interface FormatCard {
  readonly about: string;
  /** What it can tell; the first is the default. */
  readonly what: readonly Exported[];
  /** What `-o` names; a stream needs none. */
  readonly place: "file" | "folder";
  /** Still whole when something is added at its end. */
  readonly isAddable: boolean;
  /** A file of this name is of this format, if nothing else is said. */
  readonly ending?: RegExp;
  /** Default: run, since and anyVerdict. */
  readonly takes?: readonly RangeFlag[];
  load(): Promise<StreamFormat | PlaceFormat>;
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
    what: ["pages"],
    place: "folder",
    isAddable: false,
    takes: PAGES,
    load: async () => (await import("./export-llms.ts")).llmsFormat,
  },
  sitemap: {
    about: "the addresses of a site, and since when they say what they say",
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
    what: ["pages"],
    place: "file",
    isAddable: false,
    takes: [],
    ending: /\.graphml$/i,
    load: async () => (await import("./export-graph.ts")).graphmlFormat,
  },
  gexf: {
    about: "the same for Gephi (GEXF)",
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
} as const satisfies Record<string, FormatCard>;

export type FormatName = keyof typeof formats;
