/**
 * Where a page goes in a folder that mirrors its site. It follows from the URL alone, so that the same page has the same name in every export;
 * no two have the same, on any file system; and no name leads out of the folder.
 */
import { createHash } from "node:crypto";

/** Windows gives these names to devices, whatever their ending. */
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/;
const MAX_SEGMENT = 60;
const MAX_PATH = 180;

/**
 * `https://example.org/docs/start.html` → `example.org/docs/start.html.md`, as llmstxt.org proposes; a path that ends in a slash is the `index.md` of
 * its folder. A name that had to be changed to be safe everywhere ends in `~` and eight letters that tell it from others.
 */
export function pagePath(url: string, ending: string): string {
  const { protocol, host, port, pathname, search } = new URL(url);
  const [last = "", ...folders] = pathname.slice(1).split("/").reverse();
  const place = protocol === "http:" && port === "" ? `${host}_80` : host.replace(":", "_");
  const raw = [place, ...folders.reverse(), last || "index"];
  const path = raw.map((segment, at) => safeSegment(segment, at === raw.length - 1 ? "" : ending)).join("/");
  const isPlain = path === raw.join("/") && search === "" && last !== "index" && !host.includes("_") && path.length <= MAX_PATH;
  return isPlain ? path + ending : `${shortened(path)}~${createHash("sha256").update(url).digest("hex").slice(0, 8)}${ending}`;
}

const shortened = (path: string) => (path.length <= MAX_PATH ? path : path.slice(0, MAX_PATH).replace(/[/._-]+$/, ""));

/** Small letters, digits and three signs; the rest becomes a hyphen. No folder ends as files do. */
function safeSegment(segment: string, fileEnding: string): string {
  const safe = segment
    .slice(0, 4 * MAX_SEGMENT)
    .toLowerCase()
    .replace(/%[0-9a-f]{2}|[^a-z0-9._-]/g, "-")
    .replace(/\.{2,}/g, ".")
    .slice(0, MAX_SEGMENT)
    .replace(/^[._-]+|[._-]+$/g, "");
  if (safe === "" || reserved.test(safe)) return `_${safe}`;
  return fileEnding !== "" && safe.endsWith(fileEnding) ? `${safe.slice(0, -fileEnding.length)}-` : safe;
}
