/** Lists as every route tells them: a page of rows, the cursor of the next, and other forms for tables. */
import { z } from "zod";

export const MOST_ROWS = 1000;

export const listQuery = {
  limit: z.coerce.number().int().min(1).max(MOST_ROWS).default(50).describe("How many rows at most."),
  cursor: z.string().max(2000).optional().describe("Where the page before ended: its `nextCursor`."),
  count: z.stringbool().default(false).describe("Whether to count all rows, which takes a while on long lists."),
  fields: z.string().max(1000).optional().describe("Only these fields, separated by commas."),
  format: z.enum(["json", "csv", "jsonl"]).default("json").describe("Tables and lines hold all rows, not a page of them."),
};

export const listOf = (row: z.ZodType) =>
  z.object({
    data: z.array(row),
    page: z.object({ nextCursor: z.string().nullable(), limit: z.number().int(), total: z.number().int().optional() }),
  });
