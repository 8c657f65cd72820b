/** Lists as every route tells them: a page of rows, the cursor of the next, and other forms for tables. */
import { z } from "zod";
import { csv, jsonl, markdownTable } from "../export/index.ts";
import { type List, PlaceError } from "../store/index.ts";
import { cursorOf, otherList, placeOf } from "./cursor.ts";
import { Problem } from "./problem.ts";
import type { AnswerCard, Asked, Reply } from "./route.ts";

export const MOST_ROWS = 1000;
const PART = 500;

export const listFormats = ["json", "csv", "jsonl", "md"] as const;
type ListFormat = (typeof listFormats)[number];

export const listQuery = {
  limit: z.coerce.number().int().min(1).max(MOST_ROWS).default(50).describe("How many rows at most."),
  cursor: z.string().max(2000).optional().describe("Where the page before ended: its `nextCursor`."),
  count: z.stringbool().default(false).describe("Whether to say `total` of a long list as well, which takes a while."),
  fields: z.string().max(1000).optional().describe("Only these fields, separated by commas."),
  format: z.enum(listFormats).optional().describe("Else by `Accept`. CSV, JSON Lines and Markdown hold all rows, not a page of them."),
};

/** What a list can be sorted by: names, with a dash in front the other way round. */
export const sortQuery = (names: readonly [string, ...string[]], usual: string) => ({
  sort: z
    .string()
    .max(100)
    .transform((text) => text.replace(/,(-?)id$/, (tie, dash) => (text.startsWith("-") === (dash === "-") ? "" : tie)))
    .pipe(
      z.enum(bothWays(names), {
        error: `this list can be sorted by one of ${bothWays(names).join(", ")}; rows that are equal follow by their numbers`,
      }),
    )
    .default(usual)
    .describe("With a dash in front the other way round; what is equal follows by its number.")
    .meta({ type: "string", enum: bothWays(names) }),
});

const bothWays = (names: readonly string[]) => names.flatMap((name) => [name, `-${name}`]) as [string, ...string[]];

/** Several values in one parameter, separated by commas, or in as many parameters of one name. */
export const several = <T extends z.ZodType>(one: T) =>
  z
    .union([z.string().max(1000), z.array(z.string().max(1000)).max(100)])
    .transform((text) => [text].flat().flatMap((part) => part.split(",").map((word) => word.trim())))
    .pipe(z.array(one as unknown as z.ZodType<z.output<T>, string>).max(100));

export interface ListQuery {
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly count: boolean;
  readonly fields?: string | undefined;
  readonly format?: ListFormat | undefined;
  readonly sort?: string | undefined;
}

export const listOf = (row: z.ZodType) =>
  z.object({
    data: z.array(row),
    page: z.object({
      nextCursor: z.string().nullable().describe("Gives the rest: as `cursor`; null at the end."),
      limit: z.number().int(),
      total: z.number().int().optional().describe("Of all rows; where a list goes on, only with `count=true`."),
    }),
  });

const types = { csv: "text/csv; charset=utf-8", jsonl: "application/x-ndjson", md: "text/markdown; charset=utf-8" } as const;

/** The card of a list's answer. With `fields`, rows have only some of what their shape says. */
export const listCard = (about: string, row: z.ZodObject): AnswerCard => ({
  about,
  shape: listOf(row.partial().meta({ id: `${row.meta()?.id}Row`, description: "With `fields`, only those." })),
  types: ["text/csv", "application/x-ndjson", "text/markdown"],
});

export interface ListWork<Filter, T> {
  /** Stands in its cursors, so that no other list takes them. */
  readonly name: string;
  readonly list: List<Filter, T>;
  readonly filter: Filter;
  readonly row: z.ZodObject;
  readonly json: (row: T) => object | Promise<object>;
  /** As a table can hold it, where that differs. */
  readonly flat?: (row: T) => object;
  readonly signal: AbortSignal;
  readonly asked: Asked;
}

export async function answerList<Filter, T>(query: ListQuery, work: ListWork<Filter, T>): Promise<Reply> {
  const { name, list, filter, json, signal, asked } = work;
  const sort = query.sort ?? list.sorts[0]!;
  const fields = fieldsOf(query.fields, work.row);
  const format = query.format ?? formatFor(asked.accept);
  const after = query.cursor === undefined ? undefined : placeOf(query.cursor, `${name} ${sort}`);
  if (format !== "json") return { stream: { type: types[format], parts: written(format, rows(work, sort, after, format), fields) } };
  const { rows: found, next } = await list.part(filter, { sort, after, limit: query.limit, signal }).catch(refuse);
  const data = [];
  for (const row of found) data.push(picked(await json(row), fields));
  const nextCursor = next ? cursorOf(next, `${name} ${sort}`) : null;
  // A list that is held or whole in this part need not be counted.
  const isWhole = after === undefined && !next;
  const total = isWhole ? { total: found.length } : query.count || list.isHeld ? { total: await list.count(filter, signal) } : {};
  return {
    data: { data, page: { nextCursor, limit: query.limit, ...total } },
    ...(nextCursor !== null && { headers: { link: `<${nextUrl(asked.url, nextCursor)}>; rel="next"` } }),
  };
}

function refuse(cause: unknown): never {
  throw cause instanceof PlaceError ? otherList() : cause;
}

/** All rows that are there already: for lists that are never long. */
export const shortList = <T>(rows: readonly T[]): List<undefined, T> => ({
  sorts: ["place"],
  isHeld: true,
  async part(_, { after, limit }) {
    const from = Number(after?.[0] ?? 0);
    const to = from + limit;
    return { rows: rows.slice(from, to), next: to < rows.length ? [to] : undefined };
  },
  count: async () => rows.length,
});

async function* rows<Filter, T>(
  { list, filter, json, flat, signal }: ListWork<Filter, T>,
  sort: string,
  from: ReturnType<typeof placeOf> | undefined,
  format: ListFormat,
) {
  for (let after = from; ; ) {
    const part = await list.part(filter, { sort, after, limit: PART, signal }).catch(refuse);
    for (const row of part.rows) yield (await (format === "jsonl" || !flat ? json(row) : flat(row))) as Record<string, unknown>;
    if (!part.next) return;
    after = part.next;
  }
}

async function* written(
  format: Exclude<ListFormat, "json">,
  records: AsyncIterable<Record<string, unknown>>,
  fields: readonly string[] | undefined,
) {
  const chosen = fields ? pickedRecords(records, fields) : records;
  yield* inChunks({ csv, jsonl, md: markdownTable }[format](chosen));
}

async function* pickedRecords(records: AsyncIterable<Record<string, unknown>>, fields: readonly string[]) {
  for await (const record of records) yield picked(record, fields) as Record<string, unknown>;
}

const CHUNK = 64 * 1024;

/** A line at a time would cost more to hand over than to write. */
async function* inChunks(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let chunk = "";
  for await (const line of lines) {
    chunk += line;
    if (chunk.length < CHUNK) continue;
    yield chunk;
    chunk = "";
  }
  if (chunk !== "") yield chunk;
}

function fieldsOf(text: string | undefined, row: z.ZodObject): string[] | undefined {
  if (text === undefined) return undefined;
  const names = text.split(",").map((name) => name.trim());
  const known = Object.keys(row.shape);
  const errors = names
    .filter((name) => !known.includes(name))
    .map((name) => ({ pointer: "/query/fields", message: `there is no field ${name}`, suggestion: known.join(", ") }));
  if (errors.length > 0) throw new Problem("validation", errors.map(({ message }) => message).join("; "), { errors });
  return names;
}

const picked = (record: object, fields: readonly string[] | undefined): object =>
  fields
    ? Object.fromEntries(fields.flatMap((name) => (Object.hasOwn(record, name) ? [[name, record[name as keyof typeof record]]] : [])))
    : record;

const accepted: readonly [RegExp, ListFormat][] = [
  [/\b(application|text)\/json\b|\*\/\*/, "json"],
  [/\btext\/csv\b/, "csv"],
  [/\bapplication\/(x-ndjson|jsonl|x-jsonlines)\b/, "jsonl"],
  [/\btext\/markdown\b/, "md"],
];

const formatFor = (accept = ""): ListFormat => accepted.find(([type]) => type.test(accept.slice(0, 500)))?.[1] ?? "json";

function nextUrl(url: string, cursor: string): string {
  const [path = "", search = ""] = url.split("?", 2);
  const query = new URLSearchParams(search);
  query.set("cursor", cursor);
  return `${path}?${query}`;
}
