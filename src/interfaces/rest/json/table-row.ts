/** Rows for tables: one column for each field of the schema, whether there are rows or not, and no JSON in cells. */
import { z } from "zod";

type Row = Readonly<Record<string, unknown>>;

export interface TableShape {
  readonly columns: readonly string[];
  flat(row: Row): Record<string, unknown>;
}

/** With `fields`, only columns of those. */
export function tableOf(shape: z.ZodObject, fields: readonly string[] | undefined): TableShape {
  const chosen = fields ? fields.map((name) => [name, shape.shape[name]!] as const) : Object.entries(shape.shape);
  const paths = chosen.flatMap(([name, field]) => pathsOf(field as z.ZodType, [name]));
  return {
    columns: paths.map((path) => path.join(".")),
    flat: (row) => Object.fromEntries(paths.map((path) => [path.join("."), cellText(valueAt(row, path))])),
  };
}

/** Nested objects with fixed fields get a column for each field. */
function pathsOf(field: z.ZodType, path: readonly string[]): (readonly string[])[] {
  const inner = withoutWrappers(field);
  if (!(inner instanceof z.ZodObject)) return [path];
  return Object.entries(inner.shape).flatMap(([name, one]) => pathsOf(one as z.ZodType, [...path, name]));
}

function withoutWrappers(field: z.ZodType): z.ZodType {
  const { innerType } = field._zod.def as { innerType?: z.ZodType };
  return innerType ? withoutWrappers(innerType) : field;
}

const valueAt = (row: unknown, path: readonly string[]): unknown =>
  path.reduce((value, name) => (typeof value === "object" && value !== null ? (value as Row)[name] : undefined), row);

/** `a; b` for a list, `name=value, name=value` for an object with arbitrary keys. */
export function cellText(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(cellText).join("; ");
  if (typeof value !== "object" || value === null) return value;
  return Object.entries(value)
    .map(([name, inner]) => `${name}=${cellText(inner)}`)
    .join(", ");
}
