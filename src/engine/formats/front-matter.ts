import type { Found, Page, PageMetadata } from "../../core/records.ts";
import { cleanText } from "./xml.ts";

const fields: readonly [name: string, field: keyof PageMetadata, read: (metadata: PageMetadata) => unknown][] = [
  ["title", "title", ({ title }) => title?.value],
  ["description", "description", ({ description }) => description?.value],
  ["site_name", "siteName", ({ siteName }) => siteName?.value],
  ["image", "image", ({ image }) => image?.value],
  ["author", "author", ({ author }) => author?.value],
  ["published", "publishedAt", ({ publishedAt }) => publishedAt?.value],
  ["modified", "modifiedAt", ({ modifiedAt }) => modifiedAt?.value],
  ["lang", "lang", ({ lang }) => lang?.value],
  ["topics", "topics", ({ topics }) => topics?.value.map(({ name }) => name)],
];

/** A page's metadata as YAML front matter. It contains only data of this version, so that it is unchanged as long as the page is. */
export function frontMatter({ url, canonicalUrl, metadata, note, tags }: Page, firstSeenAt: string): string {
  const known = fields.flatMap(([name, field, read]) => {
    const value = read(metadata);
    return value === undefined || (Array.isArray(value) && value.length === 0) ? [] : [{ name, value, found: metadata[field]! }];
  });
  const lines = [
    frontMatterStart(url),
    ...(canonicalUrl !== null && canonicalUrl !== url ? [`canonical: ${quoted(canonicalUrl)}`] : []),
    ...known.map(({ name, value }) => `${name}: ${quoted(value)}`),
    ...(tags.length > 0 ? [`tags: ${quoted(tags)}`] : []),
    ...(note === "" ? [] : [`note: ${quoted(note)}`]),
    `first_seen: ${quoted(firstSeenAt)}`,
    ...(known.length === 0 ? [] : ["sources:"]),
    ...known.map(({ name, found }: { name: string; found: Found<unknown> }) => `  ${name}: ${quoted(found.source)}`),
  ];
  return `${lines.join("\n")}\n---\n`;
}

/** The beginning by which a file is recognised as being for this page. */
export const frontMatterStart = (url: string): string => `---\nurl: ${quoted(url)}`;

/** JSON is valid YAML, and its escaped strings cannot start a new line. */
const quoted = (value: unknown): string => cleanText(JSON.stringify(value));
