import fc from "fast-check";

/** A few hundred in `npm test`, a hundred thousand in `npm run test:fuzz`. */
export const numRuns = Number(process.env.NUTHATCH_FUZZ_RUNS ?? 300);

/** Characters of every kind, lone surrogates and controls among them. */
const anything = fc.string({
  unit: fc.oneof(
    fc.constantFrom("\0", "\ud800", "\udfff", "\u202e", "\ufeff", "\u00a0", "\n", "\r", "\t"),
    fc.constantFrom(..."abcXYZ019 ./:%&=<>\"'"),
    fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
  ),
  maxLength: 12,
});

/** Text made of the pieces that mean something to a parser, with anything in between. */
export const soup = (pieces: readonly string[], maxLength = 40): fc.Arbitrary<string> =>
  fc
    .array(fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...pieces) }, { weight: 1, arbitrary: anything }), { maxLength })
    .map((parts) => parts.join(""));

/** The same as bytes: UTF-8, or one byte a character, or two. */
export const bytesOf = (text: fc.Arbitrary<string>): fc.Arbitrary<Uint8Array> =>
  fc
    .tuple(text, fc.constantFrom<BufferEncoding>("utf8", "utf8", "latin1", "utf16le"))
    .map(([written, encoding]) => new Uint8Array(Buffer.from(written, encoding)));

/** No half of a surrogate pair. */
export const isWhole = (text: string): boolean => Buffer.from(text).toString() === text;
