import type { Answer } from "./answer.ts";
import { type Head, mediaTypeOf } from "./head.ts";

/** Types that servers send for files with an unknown extension, which may be pages. */
const UNKNOWN_TYPES = new Set(["application/octet-stream", "binary/octet-stream"]);

/** This many bytes are enough to decide; no more is read of a download that is not a page. */
export const SAMPLE_BYTES = 512;

/** Whether the first bytes may overrule the type for which this answer would be refused. Compressed bytes cannot be checked. */
export const mayBeDocument = (answer: Answer, { contentType, contentEncoding }: Head): boolean =>
  answer.kind === "refused" && answer.by === "type" && UNKNOWN_TYPES.has(mediaTypeOf(contentType) ?? "") && contentEncoding === "";

/** Starts as an HTML document, or is Markdown by its file name. The reader of the body checks again. */
export const startsLikeDocument = (sample: string, path: string): boolean =>
  /\.(?:md|markdown)(?:\?|$)/i.test(path) ||
  /^(?:\xef\xbb\xbf)?(?:[\t\n\f\r ]|<!--(?:[^-]|-(?!->))*-->)*<(?:!doctype html|html)[\s>]/i.test(sample);
