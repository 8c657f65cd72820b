/** The whole matrix of who named a seed, which process carries the run on, and what comes of it: at a file, and with workers at PostgreSQL. */
import { afterAll, expect, test } from "vitest";
import { tempFolder } from "../cli.ts";
import { query } from "../faults/ledger.ts";
import { type Cell, type Ground, tableOf, tryAll } from "../origins/matrix.ts";
import { startPostgres } from "../postgres.ts";

const folder = tempFolder();
const server = await startPostgres();
afterAll(async () => {
  await server.stop();
  folder[Symbol.dispose]();
});

function judge(cells: readonly Cell[]): void {
  console.log(tableOf(cells));
  expect(cells.length).toBeGreaterThan(0);
  expect(cells.filter(({ isTyped, hits }) => (isTyped ? hits === 0 : hits > 0))).toEqual([]);
}

test("at a file", async () => {
  let files = 0;
  const db = () => {
    files += 1;
    return folder.file(`${files}.db`);
  };
  const ground: Ground = { folder, db, ask: query };
  judge(await tryAll(ground, (_, carrier) => carrier !== "worker"));
});

test("at a database that workers share", async () => {
  const ground: Ground = { folder, db: () => server.database(), ask: (db, sql) => server.ask(sql, db) };
  judge(await tryAll(ground, (_, carrier) => carrier === "worker" || carrier === "resume"));
});
