/** Maps cases of the `sitemaps` set onto the parse room. */
import { isSitemapLocationValid, parseLastmod, parseSitemap } from "../../src/analysis/parse/index.ts";

interface SitemapCase {
  kind: string;
  input: string;
  url: string;
  contentType: string;
  contentB64: string;
  expected: unknown;
}

interface ExpectedFile {
  kind: string;
  locs?: string[];
  lastmods?: (string | null)[];
  entries?: { loc: string; lastmod?: string }[];
  count?: number;
  minCount?: number;
}

export function check(caseRow: unknown): boolean | undefined {
  const row = caseRow as SitemapCase;
  switch (row.kind) {
    case "lastmod":
      return (parseLastmod(row.input) ?? null) === (row.expected === null ? null : Date.parse(String(row.expected)));
    case "location":
      return isSitemapLocationValid(row.url, row.input) === row.expected;
    case "file":
      return checkFile(row, row.expected as ExpectedFile);
    default:
      return undefined;
  }
}

function checkFile(row: SitemapCase, expected: ExpectedFile): boolean {
  const sitemap = parseSitemap(new Uint8Array(Buffer.from(row.contentB64, "base64")), row.url, row.contentType);
  const entries = [...sitemap.pages, ...sitemap.sitemaps];
  if (expected.kind === "reject-or" && entries.length === 0) return true;
  if (!["any", "reject-or"].includes(expected.kind) && sitemap.kind !== expected.kind) return false;
  const isAll = [
    expected.locs === undefined ||
      isSame(
        entries.map((entry) => entry.url),
        expected.locs.map(normal),
      ),
    expected.count === undefined || entries.length === expected.count,
    expected.minCount === undefined || entries.length >= expected.minCount,
    expected.lastmods === undefined ||
      isSame(
        entries.map((entry) => entry.lastmod ?? null),
        expected.lastmods.map(date),
      ),
    expected.entries === undefined ||
      isSame(
        entries.map((entry) => entry.lastmod ?? null),
        expected.entries.map((entry) => date(entry.lastmod || null)),
      ),
  ];
  return isAll.every(Boolean);
}

const normal = (url: string) => (URL.canParse(url) ? new URL(url).href : url);
const date = (text: string | null) => (text === null ? null : Date.parse(text));
const isSame = (a: unknown[], b: unknown[]) => JSON.stringify(a) === JSON.stringify(b);
