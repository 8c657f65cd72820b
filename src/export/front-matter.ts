import type { Found, Page, PageMetadata } from "../records.ts";
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

/** What is known of a page, as YAML above its text. Only what belongs to this version of it: as long as the page says the same, so does this. */
export function frontMatter({ url, canonicalUrl, metadata, note, tags }: Page, firstSeenAt: string): string {
  const known = fields.flatMap(([name, field, read]) => {
    const value = read(metadata);
    return value === undefined || (Array.isArray(value) && value.length === 0) ? [] : [{ name, value, found: metadata[field]! }];
  });
  const lines = [
    beginningFor(url),
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

/** By this a file is known to be of this page. */
export const beginningFor = (url: string): string => `---\nurl: ${quoted(url)}`;

/** JSON is YAML too, and nothing in it begins a line. */
const quoted = (value: unknown): string => cleanText(JSON.stringify(value));
