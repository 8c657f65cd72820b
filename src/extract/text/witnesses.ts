/** What a page says of itself for machines, held against its blocks. */
import type { PageView } from "../page-view.ts";
import type { SchemaItem } from "../schema-items.ts";

export interface Witnesses {
  /** Whether a block is the title, or most of it. */
  isTitle(text: string): boolean;
  isDescription(text: string): boolean;
  /** How much of a block is in the body that the page's JSON-LD tells: 0–1, or -1 if it tells none. */
  inBody(text: string): number;
  readonly body: string | undefined;
}

const LEAST_BODY = 200;
const MOST_BODY = 60_000;
const WINDOW = 14;

export function witnessesOf({ metas, items, elements }: PageView): Witnesses {
  const title = elements.find(({ name }) => name === "title")?.children[0];
  const titles = [metas.get("og:title")?.[0], typeof title === "string" ? title : undefined].map(bare).filter((text) => text.length > 3);
  const descriptions = ["description", "og:description"]
    .map((name) => bare(metas.get(name)?.[0]).slice(0, 40))
    .filter((text) => text.length > 20);
  const [shortest, longest] = [Math.min(...titles.map(({ length }) => length)), Math.max(0, ...titles.map(({ length }) => length))];
  const body = bodyOf(items);
  const windows = body === undefined ? undefined : windowsOf(bare(body.slice(0, MOST_BODY)));
  return {
    body,
    isTitle: (text) => text.length >= shortest / 2 && text.length < 2 * longest && titles.some(isMostOf(bare(text))),
    isDescription: (text) => descriptions.length > 0 && text.length > 20 && descriptions.includes(bare(text.slice(0, 120)).slice(0, 40)),
    inBody: (text) => (windows === undefined ? -1 : shareIn(windows, bare(text.slice(0, 2000)))),
  };
}

const bare = (text: string | undefined) => (text ?? "").toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");

const isMostOf = (text: string) => (title: string) => text.length * 2 > title.length && title.includes(text);

/** The longest body that is told. */
function bodyOf(items: readonly SchemaItem[]): string | undefined {
  let best = "";
  const look = (item: SchemaItem, depth: number): void => {
    for (const value of item.properties.get("articleBody") ?? []) if (typeof value === "string" && value.length > best.length) best = value;
    if (depth > 3) return;
    for (const values of item.properties.values()) for (const value of values) if (typeof value === "object") look(value, depth + 1);
  };
  for (const item of items) if (item.syntax === "jsonld") look(item, 0);
  return best.length >= LEAST_BODY ? best : undefined;
}

function windowsOf(text: string): ReadonlySet<string> {
  const windows = new Set<string>();
  for (let at = 0; at + WINDOW <= text.length; at += 1) windows.add(text.slice(at, at + WINDOW));
  return windows;
}

function shareIn(windows: ReadonlySet<string>, text: string): number {
  if (text.length < WINDOW) return 0;
  const last = text.length - WINDOW;
  const places = [0, last >> 2, last >> 1, (3 * last) >> 2, last];
  return places.filter((at) => windows.has(text.slice(at, at + WINDOW))).length / places.length;
}
