/** Where a run came from is obeyed by whoever carries it on. The whole matrix, with workers at PostgreSQL: npm run test:workers. */
import { afterAll, expect, test } from "vitest";
import { tempFolder } from "./cli.ts";
import { query } from "./faults/ledger.ts";
import { tableOf, tryAll } from "./origins/matrix.ts";

const folder = tempFolder();
afterAll(() => folder[Symbol.dispose]());
let files = 0;
const ground = {
  folder,
  db: () => {
    files += 1;
    return folder.file(`${files}.db`);
  },
  ask: query,
};

/** The rest takes too long to be tried each time. */
const short = new Set(["typed resume", "api resume", "older-file resume", "standard-input server", "api server", "typed refetch"]);

test("only what a person typed is reached where it is private, or sent credentials, whichever process carries the run on", async () => {
  const cells = await tryAll(ground, (door, carrier) => short.has(`${door} ${carrier}`));
  expect(cells).toHaveLength(3 * short.size);
  const wrong = cells.filter(({ isTyped, hits }) => (isTyped ? hits === 0 : hits > 0));
  expect(wrong, tableOf(cells)).toEqual([]);
}, 180_000);
