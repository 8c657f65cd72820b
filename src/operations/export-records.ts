import { csv, jsonl } from "../export/index.ts";
import { exportRecords } from "./export.ts";
import type { StreamFormat } from "./export-formats.ts";

export const jsonlFormat: StreamFormat = {
  writes: "stream",
  parts: (app, { what, range }) => jsonl(exportRecords(app, what, range, false)),
};

export const csvFormat: StreamFormat = {
  writes: "stream",
  parts: (app, { what, range, isNew }) => csv(exportRecords(app, what, range, true), isNew),
};
