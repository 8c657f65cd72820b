import type { StoredBody } from "../../core/records.ts";
import type { Settlement } from "../settlement.ts";
import type { Store } from "../store.ts";
import type { BodyFiles } from "./body-files.ts";

/** Checks the body directory before a run starts, and writes body files before the transaction begins, because that is slow. */
export function withBodies(store: Store, bodies: BodyFiles): Store {
  const { workers } = store;
  return {
    ...store,
    startRun: async (run) => {
      bodies.fixDirectory();
      return store.startRun(run);
    },
    resumeRun: async (...given) => {
      bodies.fixDirectory();
      return store.resumeRun(...given);
    },
    settle: async (settlement) => {
      await bodies.write(bodiesIn(settlement));
      return store.settle(settlement);
    },
    workers: {
      ...workers,
      announce: async (worker) => {
        bodies.fixDirectory();
        return workers.announce(worker);
      },
    },
  };
}

function bodiesIn({ visits, exchanges = [] }: Settlement): StoredBody[] {
  const visited = visits.flatMap(({ page }) => (page?.isReread ? [] : [page?.version?.body, page?.rendered?.picture?.body]));
  const recorded = exchanges.map(({ body }) => body);
  const all = [...visited, ...recorded].flatMap((body) => (body?.data ? [[body.hash, body] as const] : []));
  return [...new Map(all).values()];
}
