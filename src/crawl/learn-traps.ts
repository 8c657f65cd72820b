import type { Places, Step, TrapGuard, TrapSuspicion } from "../url/index.ts";
import type { Admission } from "./admission.ts";
import type { LinkSet } from "./link-set.ts";
import type { NewLink } from "./mention.ts";
import type { Outcome } from "./visit.ts";

/** The result for a page's links, and how many clicks may still follow them. */
interface Followed {
  readonly links: LinkSet;
  readonly news: readonly NewLink[];
  readonly left: number;
}

/** Number of further copies, named by a copy, to visit early. */
const COPIES_ASKED = 2;

/** Reports a page to the trap guard, and moves the links to the front that the guard wants to check. */
export function learnTraps(traps: TrapGuard, { visit, suspicion, reading }: Outcome, followed: Followed, admission: Admission): void {
  if (traps.meet(visit.url, reading?.fingerprint.simhash, visit.parent)) hurryCopies(traps, followed.links, visit.host, admission);
  if (!suspicion || !reading?.blocks) return;
  const wanted = traps.learn(suspicion, reading.blocks, placesOf(visit.url, suspicion, followed, traps));
  for (const link of wanted.links) admission.hurry(link, visit.host);
  for (const template of wanted.templates) {
    const scout = followed.news.find((link) => link.template === template);
    if (scout) admission.hurry(scout.hash);
  }
}

function hurryCopies(traps: TrapGuard, links: LinkSet, host: string, admission: Admission): void {
  let asked = 0;
  for (let index = links.count - 1; index >= 0 && asked < COPIES_ASKED; index--) {
    if (!traps.mayOpen(links.url(index))) continue;
    admission.hurry(links.hash(index), host);
    asked += 1;
  }
}

/** Where a page leads that may belong to a trap. */
function placesOf(url: string, { kind, template }: TrapSuspicion, { links, news, left }: Followed, traps: TrapGuard): Places {
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
