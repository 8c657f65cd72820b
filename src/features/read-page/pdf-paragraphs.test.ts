import { expect, test } from "vitest";
import { pdfParagraphs } from "./pdf-paragraphs.ts";

test.each([
  [
    "lines of a paragraph are one",
    ["The ferry carries files from one room\nto the next, and when it is night it\nrests.\nIt is blue."],
    "The ferry carries files from one room to the next, and when it is night it rests.\n\nIt is blue.",
  ],
  ["a word cut at the end of a line is whole", ["The ferry car-\nries files and\nmore."], "The ferry carries files and more."],
  ["points are a list", ["Features:\n• fast\n• calm"], "Features:\n\n- fast\n\n- calm"],
  ["pages follow one another", ["One.", "", "Two."], "One.\n\nTwo."],
] as [string, string[], string][])("%s", (_, pages, markdown) => {
  expect(pdfParagraphs(pages)).toBe(markdown);
});
