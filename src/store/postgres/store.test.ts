import { randomBytes } from "node:crypto";
import { storeContract } from "../contract.ts";
import { openPostgres } from "./open.ts";
import { SyncDatabase } from "./sync-database.ts";

const server = "postgres://postgres:x@127.0.0.1:54329";
const admin = new SyncDatabase(`${server}/postgres`);
const template = `t${randomBytes(6).toString("hex")}`;
admin.ask(`CREATE DATABASE ${template}`, []);
await openPostgres(`${server}/${template}`).close();
{
  const db = new SyncDatabase(`${server}/${template}`);
  db.ask("DELETE FROM meta", []);
  db.close();
}

storeContract("postgres", () => {
  const name = `c${randomBytes(6).toString("hex")}`;
  admin.ask(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`, []);
  const url = `${server}/${name}`;
  return {
    open: () => openPostgres(url),
    bury: () => {
      const db = new SyncDatabase(url);
      db.ask("UPDATE run SET owner = 'x/4194305/1'", []);
      db.ask("UPDATE host SET owner = NULL", []);
      db.close();
    },
    dispose: async () => {
      admin.ask(`DROP DATABASE ${name} WITH (FORCE)`, []);
    },
  };
});
