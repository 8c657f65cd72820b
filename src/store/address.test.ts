import { expect, test } from "vitest";
import { isPostgres, passwordIn, withoutPassword } from "./address.ts";

test.each([
  ["a file is a file", "town.db", false, "town.db", undefined],
  ["and so is one with an odd name", "./postgres:x", false, "./postgres:x", undefined],
  ["an address", "postgres://me@db.test/town", true, "postgres://me@db.test/town", undefined],
  ["in its long form", "postgresql://db.test/town", true, "postgresql://db.test/town", undefined],
  ["a password before the host", "postgres://me:se%40same@db.test/town", true, "postgres://me@db.test/town", "se@same"],
  ["a password behind the question mark", "postgres://db.test/t?password=sesame&ssl=true", true, "postgres://db.test/t?ssl=true", "sesame"],
  ["what is no address hides it as well", "postgres://me:sesame@db test/", true, "postgres://db test/", undefined],
])("%s", (_, db, isServer, shown, password) => {
  expect([isPostgres(db), withoutPassword(db), passwordIn(db)]).toEqual([isServer, shown, password]);
});
