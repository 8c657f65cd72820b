/** Pages, links, changes and decisions on their way out, one record at a time, from the store and without asking the web again. */
export { csv } from "./csv.ts";
export { flatPage, pageColumns } from "./flat.ts";
export { headOf } from "./http-head.ts";
export { jsonLine, jsonl } from "./jsonl.ts";
export { markdownTable } from "./markdown-table.ts";
export { PageDirectory, type PageFile } from "./page-directory.ts";
export type { Capture } from "./warc.ts";
export { ARCHIVE_ENDING, archiveFiles, archiveIndex, WarcFiles } from "./warc-files.ts";
