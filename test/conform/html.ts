/** Maps cases of the `html` set onto the parse room. */
import { parseDocument, parseRefresh } from "../../src/analysis/parse/index.ts";

interface HtmlCase {
  kind: string;
  input: string;
  htmlB64: string;
  docUrl: string;
  encoding: string;
  expected: unknown;
}

interface ExpectedRefresh {
  seconds: number;
  url: string | null;
}

export function check(caseRow: unknown): boolean | undefined {
  const row = caseRow as HtmlCase;
  switch (row.kind) {
    case "metaRefreshContent":
      return isSameRefresh(parseRefresh(row.input), row.expected as ExpectedRefresh | null);
    case "metaRefresh": {
      const refresh = read(row).refresh;
      const expected = row.expected as ExpectedRefresh | null;
      return isSameRefresh(refresh && { seconds: refresh.seconds, url: refresh.url ?? null }, expected);
    }
    case "hrefs":
      return isSameList(
        read(row).links.map((link) => [link.kind, link.href].join(" ")),
        (row.expected as [string, string][]).map((pair) => pair.join(" ")),
      );
    case "baseHref":
      return normal(read(row).base) === normal(String(row.expected));
    case "linkResolve":
      // Element by element, and no more of them: an empty list must not pass.
      return JSON.stringify(read(row).links.map((link) => link.url)) === JSON.stringify(row.expected);
    default:
      return undefined;
  }
}

function read(row: HtmlCase) {
  const contentType = `text/html; charset=${row.encoding ?? "utf-8"}`;
  const bytes = new Uint8Array(Buffer.from(row.htmlB64, "base64"));
  return parseDocument({ bytes, url: row.docUrl ?? "http://d.example/", contentType, as: "page", embeddedLinks: false });
}

// The standard drops fractions of a second (HTML §4.2.5.3); one source keeps them.
function isSameRefresh(actual: ExpectedRefresh | undefined, expected: ExpectedRefresh | null): boolean {
  if (actual === undefined || expected === null) return actual === undefined && expected === null;
  // Resolving a URL drops tabs and newlines inside it.
  return actual.seconds === Math.floor(expected.seconds) && (actual.url?.replace(/[\t\n\r]/g, "") ?? null) === expected.url;
}

// A tree builder clones formatting elements; one mention of a link is enough.
function isSameList(actual: string[], expected: string[]): boolean {
  const once = (list: string[]) => [...new Set(list)].join("\n");
  return once(actual) === once(expected);
}

const normal = (url: string) => (URL.canParse(url) ? new URL(url).href : url);
