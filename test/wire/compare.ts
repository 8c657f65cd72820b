/** Fetches many combinations at once, and names each body that is not what was served. */
import type { Fetched } from "../../src/core/records.ts";
import { type Case, contentOf, difference, pathOf } from "./cases.ts";

type Fetch = (url: string) => Promise<Fetched>;

export interface Asked {
  readonly origin: string;
  readonly cases: readonly Case[];
  readonly connections: number;
}

/** The combinations whose bodies differ or are missing; so many are in flight at a time. */
export async function wrongBodies(fetch: Fetch, { origin, cases, connections }: Asked): Promise<string[]> {
  const wrong: string[] = [];
  const waiting = scattered(cases);
  const work = async () => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const path = pathOf(next);
      const trouble = troubleWith(await fetch(origin + path), contentOf(path, next.size));
      if (trouble !== undefined) wrong.push(`${path}: ${trouble}`);
    }
  };
  await Promise.all(Array.from({ length: connections }, work));
  return wrong.toSorted();
}

function troubleWith(fetched: Fetched, served: Uint8Array): string | undefined {
  if (fetched.kind === "body") return difference(fetched.bytes, served);
  if (fetched.kind === "failed") return `failed (${fetched.reason}): ${fetched.detail}`;
  return fetched.kind;
}

/** Large and small, quick and slow ones side by side, in the same order every time. */
function scattered(cases: readonly Case[]): Case[] {
  const step = 7919;
  return cases
    .map((_, index) => ({ index, rank: (index * step) % 10_007 }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ index }) => cases[index]!);
}
