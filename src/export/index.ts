/** Pages, links, changes and decisions on their way out, one record at a time, from the store and without asking the web again. */
export { ATOM_END, atomEntry, atomHead, type FeedEntry, stableId } from "./atom.ts";
export { csv } from "./csv.ts";
export { flatPage, pageColumns } from "./flat.ts";
export { beginningFor, frontMatter } from "./front-matter.ts";
export { headOf } from "./http-head.ts";
export { jsonLine, jsonl } from "./jsonl.ts";
export { type LlmsHead, linkLine, llmsHead, sectionHead, sourceHead } from "./llms.ts";
export { LlmsSections, OPTIONAL_SECTION, wordsOf } from "./llms-sections.ts";
export { markdownTable } from "./markdown-table.ts";
export { OwnFolder } from "./own-folder.ts";
export { beginningOf, isPacked, packing, unpackedName } from "./packing.ts";
export { PageDirectory, type PageFile } from "./page-directory.ts";
export { pagePath } from "./page-path.ts";
export { PartFile } from "./part-file.ts";
export { SITEMAP_BYTES, SITEMAP_END, SITEMAP_HEAD, SITEMAP_URLS, sitemapEntry, sitemapIndex } from "./sitemap.ts";
export type { Capture } from "./warc.ts";
export { ARCHIVE_ENDING, archiveFiles, archiveIndex, WarcFiles } from "./warc-files.ts";
export { cleanText, xmlText } from "./xml.ts";
