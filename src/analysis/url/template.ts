import { partsOf } from "./parts.ts";

/**
 * The one definition of "pages made by the same program": segments that look like values are masked, names are kept.
 * `https://a.test/blog/2024/05/how-we-moved-the-old-barn?page=3` → `a.test/blog/{n}/{n}/{slug}?page={n}`.
 */
export function templateOf(url: string): string {
  const parts = partsOf(url);
  if (!parts) return url;
  const path = collapseRuns(parts.path.split("/").slice(1)).map(maskSegment).join("/");
  return `${parts.host}/${path}${maskQuery(parts.query)}`;
}

/** Pages that programs answer have templates of their own: `viewtopic.php`, `index.cgi`. */
const PROGRAM = /\.(?:php\d?|aspx?|jspx?|cgi|pl|cfm|do|py)(?=$|[;?])/i;

/**
 * The template of the pages of a folder, for what such pages share. On many sites addresses have short names, so that by `templateOf`
 * each page would be a template of its own: `https://a.test/staff/mill` → `a.test/staff/{name}`. A folder's own page is not among them.
 */
export function folderTemplateOf(url: string): string {
  const template = templateOf(url);
  const [path = "", ...query] = template.split("?");
  const name = path.slice(path.lastIndexOf("/") + 1);
  return name === "" || query.length > 0 || PROGRAM.test(name) ? template : `${path.slice(0, -name.length)}{name}`;
}

const MAX_RUN = 4;

/** `/a/b/b/b/` and `/x/y/x/y/`: collapses a run of up to four segments that repeats. */
export function collapseRuns(segments: readonly string[]): string[] {
  const kept: string[] = [];
  for (const segment of segments) {
    kept.push(segment);
    for (let run = 1; run <= MAX_RUN && 2 * run <= kept.length; run++) {
      if (repeatsAtEnd(kept, run)) kept.length -= run;
    }
  }
  return kept;
}

function repeatsAtEnd(segments: readonly string[], run: number): boolean {
  for (let back = 1; back <= run; back++) {
    if (segments[segments.length - back] !== segments[segments.length - back - run]) return false;
  }
  return true;
}

/** Masks a query: names in alphabetical order, each with the kind of its value. */
export function maskQuery(query: string): string {
  if (query.length < 2) return "";
  const names = query
    .slice(1)
    .split("&")
    .filter((param) => param !== "")
    .map((param) => {
      const equalsAt = param.indexOf("=");
      return equalsAt < 0 ? param : `${param.slice(0, equalsAt)}=${maskValue(param.slice(equalsAt + 1))}`;
    });
  return `?${[...new Set(names)].sort().join("&")}`;
}

function maskSegment(segment: string): string {
  const [name = "", ...params] = segment.split(";");
  const dot = name.lastIndexOf(".");
  const extension = dot > 0 && /^\.[A-Za-z][A-Za-z0-9]{0,4}$/.test(name.slice(dot)) ? name.slice(dot) : "";
  const stem = extension === "" ? name : name.slice(0, dot);
  const masked = maskIfValue(stem) ?? stem.replaceAll(/\d+/g, "{n}");
  return [masked + extension, ...params.map((param) => param.replace(/=.*$/s, "={v}"))].join(";");
}

const maskValue = (value: string) => (value === "" ? "" : (maskIfValue(value) ?? (/\d/.test(value) ? "{v}" : "{w}")));

/** Each test is anchored and reads the text once, so time is linear. */
function maskIfValue(text: string): string | undefined {
  if (/^-?\d+([.,]\d+)?$/.test(text)) return "{n}";
  if (/^(19|20)\d\d[-_.]?[01]?\d([-_.]?[0-3]?\d)?([T_ ].*)?$/s.test(text)) return "{date}";
  if (isToken(text)) return "{token}";
  const words = text.split(/[-_+]|%20/).length;
  return words >= 4 || (words >= 3 && text.length >= 20) || text.length >= 32 ? "{slug}" : undefined;
}

/** A generated value: a UUID, eight or more hex digits with a digit among them, or a long mix of letters and digits. */
export function isToken(text: string): boolean {
  if (/^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(text)) return true;
  if (!/^[0-9A-Za-z_=-]+$/.test(text) || !/\d/.test(text)) return false;
  return /^[0-9a-f]{8,}$/i.test(text) || (text.length >= 16 && /[A-Za-z]/.test(text) && !/[-_]/.test(text));
}
