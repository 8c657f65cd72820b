/** Tests that every store must pass, for any database. Called from the test of each. */
import { afterEach, beforeEach, expect, vi } from "vitest";
import { careContract } from "./contract/care.ts";
import { contextsContract } from "./contract/contexts.ts";
import { exchangesContract } from "./contract/exchanges.ts";
import { linksContract } from "./contract/links.ts";
import { listsContract } from "./contract/lists.ts";
import { looksContract } from "./contract/looks.ts";
import { metadataContract } from "./contract/metadata.ts";
import { pagesContract } from "./contract/pages.ts";
import { START } from "./contract/records.ts";
import { renderingContract } from "./contract/rendering.ts";
import { runsContract } from "./contract/runs.ts";
import { searchContract } from "./contract/search.ts";
import { settlingContract } from "./contract/settling.ts";
import { turnsContract } from "./contract/turns.ts";
import type { Store } from "./store.ts";

/** One new, empty database. */
export interface Database {
  /** Opens another connection each time. */
  open(): Store;
  /** Makes every run look as if its process had been killed. */
  simulateCrash(): void;
  dispose(): Promise<void>;
}

const all = [
  turnsContract,
  settlingContract,
  pagesContract,
  metadataContract,
  contextsContract,
  exchangesContract,
  searchContract,
  runsContract,
  renderingContract,
  linksContract,
  listsContract,
  looksContract,
  careContract,
];

export function storeContract(name: string, create: () => Database, contracts = all): void {
  let database: Database;
  const stores: Store[] = [];
  const testBench = {
    open: () => {
      const store = database.open();
      stores.push(store);
      return store;
    },
    simulateCrash: () => database.simulateCrash(),
    advanceTime: (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds),
  };

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["Date"], now: START });
    database = create();
  });
  afterEach(async () => {
    vi.useRealTimers();
    const verdicts = await Promise.all(stores.map((store) => store.check()));
    for (const store of stores.splice(0)) await store.close();
    await database.dispose();
    for (const verdict of verdicts) expect(verdict).toBe("ok");
  });

  for (const contract of contracts) contract(name, testBench);
}
