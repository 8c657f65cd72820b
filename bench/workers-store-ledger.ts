/** A site of a million URLs on ten thousand hosts, as numbers: each of the first pages has links to five new ones. */
import type { StoredCandidate } from "../src/engine/frontier/index.ts";
import type { NewUrl } from "../src/store/index.ts";
import { noCounts, type Store } from "../src/store/index.ts";

export interface Ledger {
  readonly urls: number;
  readonly hosts: number;
  /** Number of turns claimed, and of outcomes settled, at a time. */
  readonly batch: number;
  readonly hasPages: boolean;
  /** Number of further links per page to URLs that may be known already. */
  readonly known: number;
}

export interface Setup extends Ledger {
  readonly url: string;
  readonly runId: number;
  readonly siteId: number;
}

const NAMED = 5;
const SPREAD = 7919;

const hostOf = ({ hosts }: Ledger, index: number) => `h${(index * SPREAD) % hosts}.bench.test`;

/** Spread over all bits, as real hashes are. */
function hashOf(index: number) {
  let hi = Math.imul(index ^ 0x9e3779b9, 0x85ebca6b);
  hi = Math.imul(hi ^ (hi >>> 13), 0xc2b2ae35);
  const lo = Math.imul(hi ^ index, 0x27d4eb2f);
  return { hi: (hi ^ (hi >>> 16)) >>> 0, lo: lo >>> 0 };
}

export function heardAt(setup: Setup, index: number, parentId?: number): NewUrl {
  const url = `http://${hostOf(setup, index)}/section-${index % 97}/page-${index}.html`;
  return {
    url,
    key: url,
    hash: hashOf(index),
    host: hostOf(setup, index),
    kind: "page",
    depth: 1,
    hops: 0,
    via: "link",
    parent: undefined,
    siteId: setup.siteId,
    level: index % 4,
    priority: (index % 1000) / 1000,
    verdict: "queued",
    reason: "ok",
    rule: "",
    parentId,
  };
}

/** Field by field, as stores build it. */
export const storedFrom = (heard: NewUrl, id: number): StoredCandidate => ({
  id,
  url: heard.url,
  key: heard.key,
  hash: heard.hash,
  host: heard.host,
  kind: heard.kind,
  depth: heard.depth,
  hops: heard.hops,
  via: heard.via,
  parent: heard.parent,
  siteId: heard.siteId,
  level: heard.level,
  priority: heard.priority,
  attempts: 0,
});

export const indexOf = (url: string): number => Number(/page-(\d+)/.exec(url)![1]);

/** New URLs linked from a page: at most five. */
export function namedBy(setup: Setup, url: string, parentId: number): NewUrl[] {
  const first = setup.hosts + NAMED * indexOf(url);
  return Array.from({ length: NAMED }, (_, nth) => first + nth)
    .filter((index) => index < setup.urls)
    .map((index) => heardAt(setup, index, parentId));
}

/** Further links of a page: any URL, on any host. */
export function knownTo(setup: Setup, url: string, parentId: number): NewUrl[] {
  const index = indexOf(url);
  return Array.from({ length: setup.known }, (_, nth) => heardAt(setup, (index * (nth + 3) + 11) % setup.urls, parentId));
}

/** One seed for each host. */
export async function seedsOf(store: Store, setup: Setup): Promise<void> {
  const { runId } = setup;
  const heard = Array.from({ length: setup.hosts }, (_, index) => heardAt(setup, index));
  await store.settle({ runId, at: Date.now(), visits: [], heard, again: [], more: [], hosts: [], counters: noCounts(), state: {} });
}
