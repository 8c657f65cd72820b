/**
 * The path of a page in a folder that mirrors its site. It depends on the URL alone, so that a page has the same path in
 * every export. Paths are unique on every file system, and none leads out of the folder.
 */
import { createHash } from "node:crypto";

/** Windows reserves these names for devices, with any extension. */
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/;
const MAX_SEGMENT = 60;
const MAX_PATH = 180;

/**
 * `https://example.org/docs/start.html` → `example.org/docs/start.html.md`, as llmstxt.org proposes; a path that ends in
 * a slash becomes `index.md` in its folder. A name that had to be changed to be safe gets a suffix of `~` and eight hex
 * digits of a hash, which make it unique.
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

/** Lowercase letters, digits, dot, underscore and hyphen; everything else becomes a hyphen. A folder must not end in the file extension. */
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
