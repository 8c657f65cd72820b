/** Lists in the form that every route returns them: a page of rows, the cursor of the next page, and other formats for tables. */
import { z } from "zod";
import { csv, jsonl, markdownTable } from "../../engine/formats/index.ts";
import { CursorError, type List } from "../../store/index.ts";
import { cursorOf, otherListProblem, readCursor } from "./cursor.ts";
import { tableOf } from "./json/table-row.ts";
import { Problem } from "./problem.ts";
import type { AnswerSpec, Reply, RequestContext } from "./route.ts";

export const MAX_ROWS = 1000;
const ROWS_PER_PART = 500;

export const listFormats = ["json", "csv", "jsonl", "md"] as const;
type ListFormat = (typeof listFormats)[number];

export const listQuery = {
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(MAX_ROWS)
    .default(50)
    .describe("How many rows at most; of CSV, JSON Lines and Markdown all, unless this says otherwise."),
  cursor: z.string().max(2000).optional().describe("Where the page before ended: its `nextCursor`."),
  count: z.stringbool().default(false).describe("Whether to say `total` of a long list as well, which takes a while."),
  fields: z.string().max(1000).optional().describe("Only these fields, separated by commas."),
  format: z.enum(listFormats).optional().describe("Else by `Accept`. CSV, JSON Lines and Markdown hold all rows, not a page of them."),
};

/** Sort orders of a list; a leading dash reverses the order. */
export const sortQuery = (names: readonly [string, ...string[]], defaultSort: string) => ({
  sort: z
    .string()
    .max(100)
    .transform((text) => text.replace(/,(-?)id$/, (tie, dash) => (text.startsWith("-") === (dash === "-") ? "" : tie)))
    .pipe(
      z.enum(withDescending(names), {
        error: `this list can be sorted by one of ${withDescending(names).join(", ")}; rows that are equal follow by their numbers`,
      }),
    )
    .default(defaultSort)
    .describe("With a dash in front the other way round; what is equal follows by its number.")
    .meta({ type: "string", enum: withDescending(names) }),
});

const withDescending = (names: readonly string[]) => names.flatMap((name) => [name, `-${name}`]) as [string, ...string[]];

/** Several values: separated by commas, or as repeated parameters. */
export const listParameter = <T extends z.ZodType>(one: T) =>
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

export const listShape = (row: z.ZodType) =>
  z.object({
    data: z.array(row),
    page: z.object({
      nextCursor: z.string().nullable().describe("Gives the rest: as `cursor`; null at the end."),
      limit: z.number().int(),
      total: z.number().int().optional().describe("Of all rows; where a list goes on, only with `count=true`."),
    }),
  });

const types = { csv: "text/csv; charset=utf-8", jsonl: "application/x-ndjson", md: "text/markdown; charset=utf-8" } as const;

/**
 * OpenAPI card of a list. It describes complete rows: if every field were optional (because of `fields`), generated clients could rely on
 * none.
 */
export const listSpec = (about: string, row: z.ZodObject): AnswerSpec => ({
  about: `${about}. With \`fields\`, rows have only those.`,
  shape: listShape(row),
  // Not listed as content types of the answer: a generated client could not tell rows from text.
  alsoTypes: ["text/csv", "application/x-ndjson", "text/markdown"],
});

export interface ListRequest<Filter, T> {
  /** Part of its cursors, so that other lists reject them. */
  readonly name: string;
  readonly list: List<Filter, T>;
  readonly filter: Filter;
  readonly row: z.ZodObject;
  readonly json: (row: T) => object | Promise<object>;
  /** Columns for tables, if they differ from the fields of the row. */
  readonly table?: { readonly columns: readonly string[]; readonly flat: (row: T) => object } | undefined;
  readonly signal: AbortSignal;
  readonly asked: RequestContext;
}

export async function answerList<Filter, T>(query: ListQuery, work: ListRequest<Filter, T>): Promise<Reply> {
  const { name, list, filter, json, signal, asked } = work;
  const sort = query.sort ?? list.sorts[0]!;
  const fields = fieldsOf(query.fields, work.row);
  const format = query.format ?? formatFor(asked.accept);
  const after = query.cursor === undefined ? undefined : readCursor(query.cursor, `${name} ${sort}`);
  const isFile = format !== "json";
  // A file contains all rows unless the request has a `limit`.
  if (isFile && !new URLSearchParams(asked.url.split("?", 2)[1]).has("limit"))
    return fileOf(work, format, { fields, found: rows(work, sort, after) });
  const { rows: found, next } = await list.part(filter, { sort, after, limit: query.limit, signal }).catch(rethrow);
  const nextCursor = next ? cursorOf(next, `${name} ${sort}`) : null;
  const headers = nextCursor === null ? {} : { link: `<${nextUrl(asked.url, nextCursor)}>; rel="next"` };
  if (isFile) return fileOf(work, format, { fields, found: withJson(found, json), headers });
  const data = [];
  for (const row of found) data.push(pickFields(await json(row), fields));
  // The total is known without counting if the first page is the whole list, and cheap to count if the list is in memory.
  const isWholeList = after === undefined && !next;
  const total = isWholeList ? { total: found.length } : query.count || list.isHeld ? { total: await list.count(filter, signal) } : {};
  return {
    data: { data, page: { nextCursor, limit: query.limit, ...total } },
    headers,
  };
}

function rethrow(cause: unknown): never {
  throw cause instanceof CursorError ? otherListProblem() : cause;
}

/** A list in memory; for lists that are always short. */
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

interface RowWithJson<T> {
  readonly row: T;
  readonly json: Record<string, unknown>;
}

async function* rows<Filter, T>(
  { list, filter, json, signal }: ListRequest<Filter, T>,
  sort: string,
  from: ReturnType<typeof readCursor> | undefined,
): AsyncGenerator<RowWithJson<T>> {
  for (let after = from; ; ) {
    const part = await list.part(filter, { sort, after, limit: ROWS_PER_PART, signal }).catch(rethrow);
    yield* withJson(part.rows, json);
    if (!part.next) return;
    after = part.next;
  }
}

async function* withJson<T>(found: readonly T[], json: ListRequest<unknown, T>["json"]): AsyncGenerator<RowWithJson<T>> {
  for (const row of found) yield { row, json: (await json(row)) as Record<string, unknown> };
}

/** Uses the list's own table columns unless `fields` names other fields, which are then fields of the row. */
function tableRows<Filter, T>(
  { table, row: shape }: ListRequest<Filter, T>,
  fields: readonly string[] | undefined,
  found: AsyncIterable<RowWithJson<T>>,
) {
  const usesOwnTable = table && (fields ?? []).every((name) => table.columns.includes(name));
  const { columns, flat } = tableOf(shape, fields);
  if (!usesOwnTable) return { columns, records: mapped(found, ({ json }) => flat(json)) };
  const own = ({ row }: RowWithJson<T>) => pickFields(table.flat(row), fields) as Record<string, unknown>;
  return { columns: fields ?? table.columns, records: mapped(found, own) };
}

const jsonRows = <T>(found: AsyncIterable<RowWithJson<T>>, fields: readonly string[] | undefined) =>
  mapped(found, ({ json }) => pickFields(json, fields) as Record<string, unknown>);

async function* mapped<A, B>(items: AsyncIterable<A>, change: (item: A) => B): AsyncGenerator<B> {
  for await (const item of items) yield change(item);
}

interface FileRows<T> {
  readonly fields: readonly string[] | undefined;
  readonly found: AsyncIterable<RowWithJson<T>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The file name describes the content. */
function fileOf<Filter, T>(
  work: ListRequest<Filter, T>,
  format: Exclude<ListFormat, "json">,
  { fields, found, headers }: FileRows<T>,
): Reply {
  const disposition = `inline; filename="${fileName(work.asked.url)}.${format}"`;
  return {
    headers: { ...headers, "content-disposition": disposition },
    stream: { type: types[format], parts: inChunks(linesOf(work, format, { fields, found })) },
  };
}

function linesOf<Filter, T>(work: ListRequest<Filter, T>, format: Exclude<ListFormat, "json">, { fields, found }: FileRows<T>) {
  if (format === "jsonl") return jsonl(jsonRows(found, fields));
  const { columns, records } = tableRows(work, fields, found);
  return format === "csv" ? csv(records, true, columns) : markdownTable(records, columns);
}

/** `/api/v1/crawls/3/pages` is nuthatch-crawls-3-pages, `/pages?siteId=2&status=404` nuthatch-pages-site-2. */
function fileName(url: string): string {
  const [path = "", search = ""] = url.split("?", 2);
  const siteId = new URLSearchParams(search).get("siteId");
  const words = [...path.split("/").slice(3), ...(siteId === null ? [] : ["site", siteId])];
  return ["nuthatch", ...words]
    .join("-")
    .replace(/[^\w.-]/g, "-")
    .slice(0, 100);
}

const CHUNK_LENGTH = 64 * 1024;

/** Handing over each line separately would cost more than producing it. */
async function* inChunks(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let chunk = "";
  for await (const line of lines) {
    chunk += line;
    if (chunk.length < CHUNK_LENGTH) continue;
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

export const pickFields = (record: object, fields: readonly string[] | undefined): object =>
  fields
    ? Object.fromEntries(fields.flatMap((name) => (Object.hasOwn(record, name) ? [[name, record[name as keyof typeof record]]] : [])))
    : record;

const acceptedTypes: readonly [RegExp, ListFormat][] = [
  [/\b(application|text)\/json\b|\*\/\*/, "json"],
  [/\btext\/csv\b/, "csv"],
  [/\bapplication\/(x-ndjson|jsonl|x-jsonlines)\b/, "jsonl"],
  [/\btext\/markdown\b/, "md"],
];

const formatFor = (accept = ""): ListFormat => acceptedTypes.find(([type]) => type.test(accept.slice(0, 500)))?.[1] ?? "json";

function nextUrl(url: string, cursor: string): string {
  const [path = "", search = ""] = url.split("?", 2);
  const query = new URLSearchParams(search);
  query.set("cursor", cursor);
  return `${path}?${query}`;
}
