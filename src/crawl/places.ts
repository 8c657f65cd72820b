import type { Places, TrapGuard, TrapSuspicion } from "../url/index.ts";
import type { LinkSet } from "./link-set.ts";
import type { NewLink } from "./mention.ts";

/** Where a page that could belong to a trap leads. */
export function placesOf(url: string, { kind }: TrapSuspicion, links: LinkSet, news: readonly NewLink[], traps: TrapGuard): Places {
  const named: number[] = [];
  for (let index = 0; kind === "trap.pagination" && index < links.count; index++) {
    if (!traps.suspect(links.url(index), url)) named.push(links.hash(index).lo);
  }
  const templates = news.map(({ template }) => template);
  const onward = [...new Set(templates)].filter((template) => template !== undefined);
  return { fresh: templates.filter((template) => template === undefined).length, onward, named };
}
