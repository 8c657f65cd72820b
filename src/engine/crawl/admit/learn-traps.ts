import type { Places, Step, TrapGuard, TrapSuspicion } from "../../../analysis/url/index.ts";
import type { LinkSet } from "../read/link-set.ts";
import type { Outcome } from "../visit.ts";
import type { Admission } from "./admission.ts";
import type { NewLink } from "./mention.ts";

/** The result for a page's links, and how many clicks may still follow them. */
interface FollowedLinks {
  readonly links: LinkSet;
  readonly newLinks: readonly NewLink[];
  readonly left: number;
}

/** Number of further copies, named by a copy, to visit early. */
const MAX_COPIES = 2;

/** Reports a page to the trap guard, and moves the links to the front that the guard wants to check. */
export function learnTraps(traps: TrapGuard, { visit, suspicion, reading }: Outcome, followed: FollowedLinks, admission: Admission): void {
  if (traps.meet(visit.url, reading?.fingerprint.simhash, visit.parent)) moveCopiesToFront(traps, followed.links, visit.host, admission);
  if (!suspicion || !reading?.blocks) return;
  const wanted = traps.learn(suspicion, reading.blocks, destinationsOf(visit.url, suspicion, followed, traps));
  for (const link of wanted.links) admission.moveToFront(link, visit.host);
  for (const template of wanted.templates) {
    const sample = followed.newLinks.find((link) => link.template === template);
    if (sample) admission.moveToFront(sample.hash);
  }
}

function moveCopiesToFront(traps: TrapGuard, links: LinkSet, host: string, admission: Admission): void {
  let moved = 0;
  for (let index = links.count - 1; index >= 0 && moved < MAX_COPIES; index--) {
    if (!traps.mayOpen(links.url(index))) continue;
    admission.moveToFront(links.hash(index), host);
    moved += 1;
  }
}

/** Where a page leads that may belong to a trap. */
function destinationsOf(
  url: string,
  { kind, template }: TrapSuspicion,
  { links, newLinks, left }: FollowedLinks,
  traps: TrapGuard,
): Places {
  const named: number[] = [];
  const steps: Step[] = [];
  const counts = kind === "trap.pagination" || kind === "trap.calendar";
  for (let index = 0; counts && index < links.count; index++) {
    const other = traps.suspect(links.url(index), url);
    if (!other && kind === "trap.pagination") named.push(links.hash(index).lo);
    if (other?.template === template && other.at !== undefined) steps.push({ at: other.at, hash: links.hash(index) });
  }
  const templates = newLinks.map((link) => link.template);
  const onward = [...new Set(templates)].filter((other) => other !== undefined);
  return { fresh: templates.filter((other) => other === undefined).length, onward, named, steps, left };
}
