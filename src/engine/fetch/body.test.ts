import { setImmediate as turnOfLoop } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { contentOf, KB, MB } from "../../../test/wire/cases.ts";
import { codingNamed, codings, emptyCodings, hasZstd, unusualCodings } from "../../../test/wire/codings.ts";
import { Body } from "./body.ts";
import { type Decoded, parseCodings } from "./codings.ts";
import { MemoryBudget } from "./memory-budget.ts";

/** Passes the coded bytes in pieces through one buffer, which is overwritten as soon as `write` has returned. */
function throughReusedMemory(coded: Uint8Array, header: string, piece: number): Promise<Decoded> {
  return new Promise((done, fail) => {
    const resumed: (() => void)[] = [];
    const resume = () => {
      for (const go of resumed.splice(0)) go();
    };
    const limits = { maxBytes: 16 * MB, mayCut: false, length: 0, budget: new MemoryBudget(64 * MB) };
    const body = new Body({ codings: parseCodings(header)!, ...limits, resume, onDone: done });
    feed(body, coded, piece, () => new Promise((go) => resumed.push(go))).catch(fail);
  });
}

async function feed(body: Body, coded: Uint8Array, piece: number, resumed: () => Promise<void>): Promise<void> {
  const memory = Buffer.alloc(piece);
  for (let at = 0; at < coded.length; at += piece) {
    const chunk = memory.subarray(0, Math.min(piece, coded.length - at));
    chunk.set(coded.subarray(at, at + chunk.length));
    const wantsMore = body.write(chunk);
    memory.fill(0xff);
    // Evaluated before anything else can run, so that no call of `resume` is missed.
    await (wantsMore ? turnOfLoop() : resumed());
  }
  body.end();
}

describe("no chunk is needed after write has returned", () => {
  const names = [...codings, ...unusualCodings, ...(hasZstd ? ["zstd"] : [])];
  const cases = names.flatMap((name) => [KB, 64 * KB + 1, 300 * KB, 2 * MB].map((size) => [name, size] as const));

  test.each(cases)("%s of %d bytes", async (name, size) => {
    const { header, encode } = codingNamed(name);
    const content = contentOf(name, size);
    const coded = await encode(content);
    for (const piece of [1400, 16 * KB, 64 * KB]) {
      const decoded = await throughReusedMemory(coded, header, piece);
      expect(decoded.kind === "broken" ? decoded.detail : decoded.kind).toBe("whole");
      expect(decoded.kind !== "broken" && Buffer.compare(decoded.bytes, content)).toBe(0);
    }
  });

  test.each(emptyCodings)("%s", async (name) => {
    expect(await throughReusedMemory(new Uint8Array(0), codingNamed(name).header, KB)).toMatchObject({
      kind: "whole",
      bytes: { length: 0 },
    });
  });
});
