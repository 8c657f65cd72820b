/** The short form: a part of every kind of combination. `npm run test:wire` has them all. */
import { expect, test } from "vitest";
import { combine, KB, MB, schemes } from "./cases.ts";
import { codings, emptyCodings, hasZstd, unusualCodings } from "./codings.ts";
import { wireServers } from "./fetching.ts";

const { wrong } = wireServers("127.0.34.1");

test.each(schemes)("over %s every body is what was served", async (scheme) => {
  const cases = [
    ...combine(codings, { sizes: [KB, 64 * KB + 1, 150 * KB], writings: ["packets"] }),
    ...combine(["gzip", "br"], { sizes: [MB], writings: ["whole", "pauses"] }),
    ...combine(["identity", "gzip"], { sizes: [KB], writings: ["bytes"] }),
    ...combine(unusualCodings, { sizes: [0, 150 * KB], writings: ["packets"] }).filter(({ framing }) => framing === "chunked"),
    ...combine(emptyCodings, { sizes: [0], writings: ["whole"] }),
  ];
  expect(await wrong(scheme, 16, cases)).toEqual([]);
});

test.skipIf(!hasZstd)(`zstd${hasZstd ? "" : " (skipped: the zlib of this Node has no zstd)"}`, async () => {
  expect(await wrong("tls1.3", 16, combine(["zstd"], { sizes: [KB, 150 * KB], writings: ["packets"] }))).toEqual([]);
});
