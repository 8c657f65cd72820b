import type { Places, Step, TrapGuard, TrapSuspicion } from "../url/index.ts";
import type { LinkSet } from "./link-set.ts";
import type { NewLink } from "./mention.ts";

/** Where a page that could belong to a trap leads; `left`: how many clicks may follow on its links. */
export function placesOf(
  url: string,
  { kind, template }: TrapSuspicion,
  links: LinkSet,
  news: readonly NewLink[],
  traps: TrapGuard,
  left: number,
): Places {
  const named: number[] = [];
  const steps: Step[] = [];
  const counts = kind === "trap.pagination" || kind === "trap.calendar";
  for (let index = 0; counts && index < links.count; index++) {
    const other = traps.suspect(links.url(index), url);
    if (!other && kind === "trap.pagination") named.push(links.hash(index).lo);
    if (other?.template === template && other.at !== undefined) steps.push({ at: other.at, hash: links.hash(index) });
  }
  const templates = news.map((link) => link.template);
  const onward = [...new Set(templates)].filter((other) => other !== undefined);
  return { fresh: templates.filter((other) => other === undefined).length, onward, named, steps, left };
}
