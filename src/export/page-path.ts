/** Where a page goes in a folder that mirrors its site: the same URL has the same name in every export and on every file system. */
import { createHash } from "node:crypto";

/** Windows gives these names to devices, whatever their ending. */
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/;
const MAX_SEGMENT = 60;
const MAX_PATH = 180;

/**
 * `https://example.org/docs/start.html` → `example.org/docs/start.md`; a path that ends in a slash is the `index.md` of its folder.
 * A name that had to be changed to be safe everywhere ends in `~` and eight letters that tell it from others.
 */
export function pagePath(url: string, ending: string): string {
  const { host, pathname, search } = new URL(url);
  const [last = "", ...folders] = pathname.split("/").slice(1).reverse();
  const name = last === "" ? "index" : last.replace(/\.(?:html?|xhtml|php|aspx?|jsp)$/, "");
  const raw = [host.replace(":", "_"), ...folders.reverse(), name];
  const path = raw.map(safeSegment).join("/");
  if (search === "" && path === raw.join("/") && path.length <= MAX_PATH) return path + ending;
  return marked(path, url, ending);
}

/** For the second of two pages whose names would be the same: they differ in scheme, or in an ending that is left out. */
export const secondPath = (url: string, ending: string): string => marked(pagePath(url, "").replace(/~[0-9a-f]{8}$/, ""), url, ending);

function marked(path: string, url: string, ending: string): string {
  const short = path.length <= MAX_PATH ? path : path.slice(0, MAX_PATH).replace(/[/._-]+$/, "");
  return `${short}~${createHash("sha256").update(url).digest("hex").slice(0, 8)}${ending}`;
}

/** Small letters, digits and three signs; the rest becomes a hyphen. */
function safeSegment(segment: string): string {
  const safe = segment
    .toLowerCase()
    .replace(/%[0-9a-f]{2}|[^a-z0-9._-]/g, "-")
    .replace(/[.]{2,}/g, ".")
    .slice(0, MAX_SEGMENT)
    .replace(/^[._-]+|[._-]+$/g, "");
  return safe === "" || reserved.test(safe) ? `_${safe}` : safe;
}
