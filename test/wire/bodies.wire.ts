/** Every combination of scheme, coding, framing, size and way of writing, over 1, 16 and 64 connections. */
import { describe, expect, test } from "vitest";
import { combine, KB, MB, schemes, sizes } from "./cases.ts";
import { codings, emptyCodings, hasZstd, unusualCodings } from "./codings.ts";
import { wireServers } from "./fetching.ts";

const { wrong } = wireServers("127.0.34.2");
const all = hasZstd ? [...codings, "zstd"] : codings;
if (!hasZstd) console.log("zstd is skipped: the zlib of this Node has no zstd.");

describe.each(schemes)("over %s", (scheme) => {
  test.each([1, 16, 64])("every coding, framing, size and way of writing over %d connections", async (connections) => {
    expect(await wrong(scheme, connections, combine(all, { sizes }))).toEqual([]);
  });

  test.each([1, 16, 64])("stacked codings and unusual bodies over %d connections", async (connections) => {
    const cases = combine(unusualCodings, { sizes: [0, KB, 64 * KB + 1, 150 * KB, MB], writings: ["whole", "packets", "pauses"] });
    cases.push(...combine(emptyCodings, { sizes: [0], writings: ["whole"] }));
    expect(await wrong(scheme, connections, cases)).toEqual([]);
  });
});
