import type { Answer } from "./answer.ts";
import { essenceOf, type Head } from "./head.ts";

/** What servers say of files whose ending they do not know; pages are among them. */
const UNKNOWN = new Set(["application/octet-stream", "binary/octet-stream"]);

/** So many bytes tell; of a download that is no page no more is read. */
export const SAMPLE = 512;

/** Whether the first bytes may tell more than the type for which this answer would be turned away. Coded bytes tell nothing. */
export const mayBeDocument = (answer: Answer, { contentType, contentEncoding }: Head): boolean =>
  answer.kind === "refused" && answer.by === "type" && UNKNOWN.has(essenceOf(contentType) ?? "") && contentEncoding === "";

/** A whole HTML document; or Markdown, by the name of its file. Whoever reads the body looks again. */
export const beginsAsDocument = (sample: string, path: string): boolean =>
  /\.(?:md|markdown)(?:\?|$)/i.test(path) ||
  /^(?:\xef\xbb\xbf)?(?:[\t\n\f\r ]|<!--(?:[^-]|-(?!->))*-->)*<(?:!doctype html|html)[\s>]/i.test(sample);
