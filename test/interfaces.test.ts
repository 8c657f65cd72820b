/** Every command, route and function that can ask for an address: only what a person typed is reached where it is private, or sent credentials. */
import * as library from "nuthatch";
import { afterAll, expect, test } from "vitest";
import { commands } from "../src/interfaces/cli/commands.ts";
import { routes } from "../src/interfaces/rest/routes/index.ts";
import { tempFolder } from "./cli.ts";
import { commandWays, libraryWays, routeWays, tryInterfaces } from "./origins/interfaces.ts";
import { tableOf } from "./origins/matrix.ts";

const folder = tempFolder();
afterAll(() => folder[Symbol.dispose]());

const named = (list: object | readonly string[]) => (Array.isArray(list) ? list : Object.keys(list)).toSorted();

test.each([
  ["each command", commands.map(({ name }) => name), commandWays],
  // All others work in threads that have the data file and nothing else.
  ["each route that the crawling process answers", routes.filter(({ at }) => at === "engine").map(({ id }) => id), routeWays],
  ["each function of the library", Object.keys(library).filter((name) => name !== "VERSION"), libraryWays],
])("%s says whether it asks for addresses, and how it is given them", (_, all, ways) => expect(named(ways)).toEqual(named(all)));

test("only what a person typed is reached where it is private, or sent credentials, whatever is called", async () => {
  const cells = await tryInterfaces(folder);
  expect(
    cells.filter(({ isTyped, hits }) => (isTyped ? hits === 0 : hits > 0)),
    tableOf(cells),
  ).toEqual([]);
}, 300_000);
