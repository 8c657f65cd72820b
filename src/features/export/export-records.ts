import { csv, jsonl, pageColumns } from "../../engine/formats/index.ts";
import { exportRecords } from "./export.ts";
import type { StreamFormat } from "./export-formats.ts";

export const jsonlFormat: StreamFormat = {
  writes: "stream",
  parts: (app, request) => jsonl(exportRecords(app, request, false)),
};

export const csvFormat: StreamFormat = {
  writes: "stream",
  parts: (app, request) => csv(exportRecords(app, request, true), true, request.what === "pages" ? pageColumns : []),
};
