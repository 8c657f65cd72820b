import type { PageHandler } from "../site/index.ts";

export interface MixedSite {
  readonly pages: PageHandler;
  readonly all: readonly string[];
  /** Those that say what they have to say only in a browser. */
  readonly scripted: readonly string[];
}

const STATS = "<script>window.seen = (window.seen || 0) + 1;</script>";
const text = (name: string) => `<p>${`What there is to know about ${name} is written here in plain words. `.repeat(12)}</p>`;

/** A site as most are: nine pages of ten are whole as they come, though they have a script; a tenth, in three templates, needs its scripts. */
export function mixedSite(size: number): MixedSite {
  const each = Math.round(size / 30);
  const shops = range(each).map((number) => `/shop/${number}`);
  const maps = range(each).map((number) => `/map/${number}.html`);
  const talks = range(each).map((number) => `/talks/${number}/thread`);
  const scripted = [...shops, ...maps, ...talks];
  // Each page that needs its scripts names a leaf by them.
  const leaves = scripted.map((_, number) => `/leaf/${number}`);
  const kinds = ["news", "people", "notes", "old"];
  const plain = range(size - scripted.length - leaves.length - 1).map((number) => `/${kinds[number % kinds.length]}/${number}`);
  const all = ["/", ...plain, ...scripted, ...leaves];
  const nextOf = (path: string) => {
    const named = [...plain, ...scripted];
    const at = named.indexOf(path);
    return range(8).map((step) => named[at + 1 + step * 7] ?? named[step]!);
  };
  const links = (paths: readonly string[]) => `<ul>${paths.map((path) => `<li><a href="${path}">${path}</a></li>`).join("")}</ul>`;
  const leafOf = (path: string) => leaves[scripted.indexOf(path)]!;
  const byScript = (path: string) => JSON.stringify(`<p>More about it: <a href="${leafOf(path)}">a leaf</a></p>`);
  const draw = (path: string): string => {
    const head = `<!doctype html><html lang=en><title>${path}</title>`;
    if (shops.includes(path))
      return `${head}<div id=root></div><script>root.innerHTML = ${JSON.stringify(`<main><h1>Shop</h1>${text(path)}${links(nextOf(path))}</main>`)} + ${byScript(path)};</script>`;
    if (scripted.includes(path))
      return `${head}<main><h1>${path}</h1>${text(path)}${links(nextOf(path))}<div id=more></div></main><script>setTimeout(() => { more.innerHTML = ${byScript(path)}; }, 50);</script>`;
    return `${head}${STATS}<main><h1>${path}</h1>${text(path)}${leaves.includes(path) ? "" : links(path === "/" ? [...plain.slice(0, 20), ...scripted] : nextOf(path))}</main>`;
  };
  const known = new Set(all);
  return { pages: ({ path }) => (known.has(path) ? draw(path) : undefined), all: all.sort(), scripted };
}

const range = (count: number) => Array.from({ length: count }, (_, number) => number);
