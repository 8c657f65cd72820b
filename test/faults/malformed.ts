/** Pages as a drunk editor leaves them: a decent page, cut, doubled, reversed and sprinkled, the same for the same number. */
import { draw } from "../farm/words.ts";

const PIECES = [
  "<",
  ">",
  "</",
  "<!--",
  "-->",
  "<![CDATA[",
  "]]>",
  '"',
  "'",
  "&",
  "&#x",
  "\0",
  "\ufffd",
  "<script>",
  "</table>",
  "<a href=",
  "<base href='http://[::'>",
  "<meta charset=utf-16>",
  "<plaintext>",
  "<svg><style>",
  "\ud800",
];

const decent = (page: number) => {
  const { words } = draw(`decent ${page}`);
  const items = Array.from({ length: 12 }, () => `<li class="item"><a href="/m/${words(1)}?q=${words(1)}">${words(3)}</a></li>`).join("\n");
  return `<!doctype html><html lang="en"><head><title>${words(4)}</title><meta name="description" content="${words(8)}"></head><body><h1>${words(3)}</h1><p>${words(60)}</p><ul>${items}</ul></body></html>`;
};

export function malformed(page: number): Buffer {
  const { number } = draw(`malformed ${page}`);
  let html = decent(page);
  for (let round = 1 + number(12); round > 0; round -= 1) {
    const at = number(html.length);
    const end = at + number(80);
    const part = html.slice(at, end);
    const piece = PIECES[number(PIECES.length)]!;
    const edits = [piece, "", part + part, [...part].reverse().join(""), part.toUpperCase(), piece.repeat(1 + number(50))];
    html = html.slice(0, at) + edits[number(edits.length)]! + html.slice(end);
  }
  const bytes = Buffer.from(html);
  // Some are damaged on the way instead: bytes flipped, the rest lost.
  if (number(4) === 0) for (let flips = 20; flips > 0; flips -= 1) bytes[number(bytes.length)] = number(256);
  return number(8) === 0 ? bytes.subarray(0, number(bytes.length)) : bytes;
}
