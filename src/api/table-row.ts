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
  const places = chosen.flatMap(([name, field]) => placesOf(field as z.ZodType, [name]));
  return {
    columns: places.map((place) => place.join(".")),
    flat: (row) => Object.fromEntries(places.map((place) => [place.join("."), cellText(at(row, place))])),
  };
}

/** Nested objects with fixed fields get a column for each field. */
function placesOf(field: z.ZodType, place: readonly string[]): (readonly string[])[] {
  const inner = withoutWrappers(field);
  if (!(inner instanceof z.ZodObject)) return [place];
  return Object.entries(inner.shape).flatMap(([name, one]) => placesOf(one as z.ZodType, [...place, name]));
}

function withoutWrappers(field: z.ZodType): z.ZodType {
  const { innerType } = field._zod.def as { innerType?: z.ZodType };
  return innerType ? withoutWrappers(innerType) : field;
}

const at = (row: unknown, place: readonly string[]): unknown =>
  place.reduce((value, name) => (typeof value === "object" && value !== null ? (value as Row)[name] : undefined), row);

/** `a; b` for a list, `name=value, name=value` for an object with arbitrary keys. */
export function cellText(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(cellText).join("; ");
  if (typeof value !== "object" || value === null) return value;
  return Object.entries(value)
    .map(([name, inner]) => `${name}=${cellText(inner)}`)
    .join(", ");
}
