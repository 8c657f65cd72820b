/** PDFs that no program writes. */
import { deflateSync } from "node:zlib";
import { aPdf, pdfOf } from "../a-pdf.ts";

const plain = aPdf(["Hoist the blue flag."]);
const text = (pdf: Buffer) => pdf.toString("latin1");
const changed = (from: string | RegExp, to: string) => Buffer.from(text(plain).replace(from, to), "latin1");
const MB = 1024 * 1024;

/** Objects in a file without a table of them, which its reader has to find. */
const loose = (objects: string) => Buffer.from(`%PDF-1.4\n${objects}\ntrailer << /Root 1 0 R >>\n%%EOF`, "latin1");
const catalog = "1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj\n";

export const pdfs: readonly (readonly [name: string, pdf: Buffer])[] = [
  ["nothing but its head", Buffer.from("%PDF-1.7\n")],
  ["a head and rubbish", Buffer.concat([Buffer.from("%PDF-1.7\n"), Buffer.alloc(100_000, "\xff\0<<[(", "latin1")])],
  ["half of itself", plain.subarray(0, plain.length / 2)],
  ["a table at a place that is none", changed(/startxref\n\d+/, "startxref\n99999999999999999999")],
  ["a table that is itself", changed(/trailer << /, `trailer << /Prev ${text(plain).indexOf("xref\n0 6")} `)],
  ["a table of a billion objects", changed("xref\n0 6", "xref\n0 1000000000")],
  ["a table with negative numbers", changed("xref\n0 6", "xref\n-5 -6")],
  ["places that are all the same", changed(/\d{10} 00000 n/g, "0000000009 00000 n")],
  ["pages in a circle", loose(`${catalog}2 0 obj << /Type /Pages /Kids [2 0 R 2 0 R] /Count 2 >> endobj`)],
  ["a billion pages", changed("/Count 1", "/Count 1000000000")],
  ["a length that refers to itself", changed(/\/Length \d+/, "/Length 4 0 R")],
  ["a length beyond all numbers", changed(/\/Length \d+/, `/Length ${"9".repeat(50)}`)],
  ["arrays in arrays", loose(`${catalog}2 0 obj ${"[".repeat(500_000)} endobj`)],
  ["dictionaries in dictionaries", loose(`${catalog}2 0 obj ${"<< /A ".repeat(300_000)} endobj`)],
  ["brackets of text in each other", pdfOf(Buffer.from(`BT ${"(".repeat(500_000)}`))],
  ["an operator with a million arguments", pdfOf(Buffer.from(`BT /F1 12 Tf ${"1 ".repeat(MB)}Td (x) Tj ET`))],
  ["graphics states without end", pdfOf(Buffer.from("q ".repeat(MB)))],
  [
    "ten layers of packing",
    pdfOf(
      Array.from({ length: 10 }).reduce<Buffer>((bytes) => deflateSync(bytes), Buffer.from("BT (x) Tj ET")),
      `/Filter [${"/FlateDecode ".repeat(10)}]`,
    ),
  ],
  ["packing that is none", pdfOf(Buffer.from("rubbish"), "/Filter /FlateDecode")],
  ["a filter nobody knows", pdfOf(Buffer.from("rubbish"), "/Filter /Nonsense")],
  ["hexadecimal without end", pdfOf(Buffer.alloc(MB, "4"), "/Filter /ASCIIHexDecode")],
  ["runs of one letter", pdfOf(Buffer.alloc(MB, Buffer.from([129, 32])), "/Filter /RunLengthDecode")],
  [
    "a password nobody has",
    changed(
      "trailer << ",
      `trailer << /Encrypt << /Filter /Standard /V 2 /R 3 /Length 128 /P -1 /O <${"41".repeat(32)}> /U <${"42".repeat(32)}> >> /ID [<00> <00>] `,
    ),
  ],
  ["a lock nobody knows", changed("trailer << ", "trailer << /Encrypt << /Filter /Nonsense /V 99 >> ")],
  ["a script that begins when it is opened", changed("/Type /Catalog", "/Type /Catalog /OpenAction << /S /JavaScript /JS (while(1);) >>")],
  ["a title of control characters", changed("trailer << ", "trailer << /Info << /Title (\x1b[2J\0owned) >> ")],
  [
    "a font that is a circle",
    changed("/BaseFont /Helvetica", "/BaseFont /Helvetica /ToUnicode 5 0 R /Encoding 5 0 R /FontDescriptor 5 0 R"),
  ],
];
