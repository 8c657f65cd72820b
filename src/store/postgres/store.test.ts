import { hostname } from "node:os";
import { afterAll } from "vitest";
import { startPostgres } from "../../../test/postgres.ts";
import { storeContract } from "../contract.ts";
import { openPostgres } from "./open.ts";

const server = await startPostgres();
afterAll(() => server.stop());

const url = server.database();

storeContract("postgres", () => {
  return {
    open: () => openPostgres(url),
    bury: () => void server.ask(`UPDATE run SET owner = '${hostname()}/4194305/1'; UPDATE host SET owner = NULL`, url),
    dispose: async () => server.empty(url),
  };
});
