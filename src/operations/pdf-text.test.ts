import { expect, test } from "vitest";
import { pdfMarkdown } from "./pdf-text.ts";

/** A thread that runs this instead of reading a PDF. */
const worker = (code: string) =>
  new URL(`data:text/javascript,${encodeURIComponent(`import { parentPort } from "node:worker_threads"; ${code}`)}`);
const answering = (...pages: string[]) => worker(`parentPort.postMessage(${JSON.stringify({ pages, title: " A title " })})`);

test.each([
  [
    "lines of a paragraph are one",
    ["The ferry carries files from one room\nto the next, and when it is night it\nrests.\nIt is blue."],
    "The ferry carries files from one room to the next, and when it is night it rests.\n\nIt is blue.\n",
  ],
  ["a word cut at the end of a line is whole", ["The ferry car-\nries files and\nmore."], "The ferry carries files and more.\n"],
  ["points are a list", ["Features:\n• fast\n• calm"], "Features:\n\n- fast\n\n- calm\n"],
  ["pages follow one another", ["One.", "", "Two."], "One.\n\nTwo.\n"],
] as [string, string[], string][])("%s", async (_, pages, markdown) => {
  expect(await pdfMarkdown(new Uint8Array(), { workerUrl: answering(...pages) })).toEqual({ markdown, title: "A title" });
});

test.each([
  ["has no text", answering("", " "), undefined, "a PDF without text: its pages are pictures"],
  ["takes too long", worker("setInterval(() => {}, 1000)"), 50, "a PDF that took longer than 0.05 s to read"],
  ["breaks its reader", worker('throw new Error("too odd")'), undefined, "a PDF that cannot be read: too odd"],
  ["ends its reader", worker("process.exit(3)"), undefined, "a PDF that ended its reader"],
])("a document that %s is told as it is", async (_, workerUrl, patience, trouble) => {
  expect(await pdfMarkdown(new Uint8Array(), { workerUrl, ...(patience && { patience }) })).toEqual({ trouble });
});
