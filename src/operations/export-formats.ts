/** The formats of `nuthatch export`: one card each, so that help can tell them without loading what writes them. */
import type { App } from "../app.ts";
import { type Exported, type ExportRange, exported } from "./export.ts";

export interface ExportRequest {
  readonly range: ExportRange;
  readonly what: Exported;
  /** Nothing stands in the file yet: a table needs its header. */
  readonly isNew: boolean;
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
}

export interface ExportReport {
  readonly saved: number;
  /** Pages that could not be written, mostly because their bodies are not stored. */
  readonly left: number;
  /** One sentence each. */
  readonly notes: readonly string[];
}

export interface FormatCard {
  readonly about: string;
  /** What it can tell; the first is the default. */
  readonly what: readonly Exported[];
  /** What `-o` names; a stream needs none. */
  readonly place: "file" | "folder";
  /** Still whole when something is added at its end. */
  readonly isAddable: boolean;
  load(): Promise<StreamFormat | PlaceFormat>;
}

export const formats = {
  jsonl: {
    about: "one record a line",
    what: exported,
    place: "file",
    isAddable: true,
    load: async () => (await import("./export-records.ts")).jsonlFormat,
  },
  csv: {
    about: "a table for spreadsheets",
    what: exported,
    place: "file",
    isAddable: true,
    load: async () => (await import("./export-records.ts")).csvFormat,
  },
  pagedir: {
    about: "a page directory of the Tiny Search Engine",
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
    load: async () => (await import("./export-warc.ts")).warcFormat,
  },
} as const satisfies Record<string, FormatCard>;

export type FormatName = keyof typeof formats;
