/** Validates the input of a request. All faults are reported together, each with a JSON pointer and, where possible, a suggestion. */
import type { z } from "zod";
import { nearest } from "../../engine/config/index.ts";
import { type FieldError, Problem } from "./problem.ts";

const MAX_FAULTS = 20;
const MAX_TEXT_LENGTH = 100;

/** Options are nested four deep. A much deeper value can be parsed, but not posted to another thread. */
const MAX_DEPTH = 32;

/** Iterates level by level, because recursion over hostile input would overflow the stack. */
export function checkDepth(value: unknown, place: string): void {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) {
      const message = `lists and objects lie within each other more than ${MAX_DEPTH} deep`;
      throw new Problem("validation", message, { errors: [{ pointer: pointerTo([place]), message }] });
    }
    level = level.flatMap((one) => (typeof one === "object" && one !== null ? Object.values(one) : []));
  }
}

export function checkInput(schema: z.ZodType | undefined, value: unknown, place: string): unknown {
  if (!schema) return undefined;
  if (place === "query") refuseRepeated(value, schema);
  const result = schema.safeParse(value, { error: errorMessage });
  if (result.success) return result.data;
  const errors = result.error.issues.flatMap((issue) => errorsOf(issue, schema, place)).slice(0, MAX_FAULTS);
  throw new Problem("validation", errors.map(({ pointer, message }) => `${pointer}: ${message}`).join("; "), { errors });
}

/** `?limit=1&limit=2`: a parameter that takes one value and was given several. */
function refuseRepeated(query: unknown, schema: z.ZodType): void {
  const repeated = Object.entries(query ?? {}).filter(([, given]) => Array.isArray(given));
  for (const [name, given] of repeated) {
    const [pointer, message] = [pointerTo(["query", name]), "this is given more than once"];
    const field = "shape" in schema ? (schema.shape as Record<string, z.ZodType>)[name] : undefined;
    if (!field || field.safeParse(given).success) continue;
    throw new Problem("validation", `${pointer}: ${message}`, { errors: [{ pointer, message }] });
  }
}

function errorsOf(issue: z.core.$ZodIssue, schema: z.ZodType, place: string): FieldError[] {
  const pointer = pointerTo([place, ...issue.path]);
  if (issue.code !== "unrecognized_keys") return [{ pointer, message: issue.message }];
  const known = issue.path.length === 0 && "shape" in schema ? Object.keys(schema.shape as object) : [];
  return issue.keys.map((key) => {
    const suggestion = nearest(key.slice(0, MAX_TEXT_LENGTH), known);
    return { pointer: `${pointer}${pointerTo([key])}`, message: "there is no such field", ...(suggestion !== undefined && { suggestion }) };
  });
}

/** RFC 6901. */
const pointerTo = (path: readonly PropertyKey[]): string =>
  path.map((part) => `/${String(part).slice(0, MAX_TEXT_LENGTH).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");

const KINDS: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
};

/** Error messages that do not assume knowledge of zod. A message defined on the field itself takes precedence. */
const errorMessage: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case "too_big":
      return `${bound(issue.origin, issue.maximum)} at most`;
    case "too_small":
      return issue.inclusive === false ? `more than ${issue.minimum}` : `${bound(issue.origin, issue.minimum)} or more`;
    case "invalid_type":
      return issue.input === undefined ? "this is needed" : `this takes ${KINDS[issue.expected] ?? issue.expected}`;
    case "invalid_value":
      return `this takes ${issue.values.length > 1 ? "one of " : ""}${issue.values.map(String).join(", ")}`;
    case "invalid_format":
      return FORMATS[issue.format] ?? "this is not in the form that is wanted";
    case "invalid_union":
      return "this is in none of the forms that are taken";
    default:
      return undefined;
  }
};

const FORMATS: Readonly<Record<string, string>> = {
  date: "this takes a day such as 2026-11-01",
  datetime: "this takes a moment such as 2026-11-01T08:30:00Z",
};

const bound = (origin: string, limit: number | bigint): string =>
  `${limit} ${origin === "string" ? "character" : origin === "array" || origin === "set" ? "item" : ""}`.trim() +
  (/^(?:string|array|set)$/.test(origin) && Number(limit) !== 1 ? "s" : "");
