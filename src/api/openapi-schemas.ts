/** Schemas as OpenAPI has them: what has a name stands once under `components`, and everything else refers to it. */
import { z } from "zod";

export type Json = Record<string, unknown>;

export class Components {
  readonly #named = new Map<string, unknown>();
  readonly #answers = new Map<string, Json>();

  of(schema: z.ZodType, io: "input" | "output"): Json {
    const made = z.toJSONSchema(schema, {
      io,
      unrepresentable: "any",
      override: (context) => sayPlainly(context.zodSchema, context.jsonSchema),
    });
    const {
      $schema: _,
      $defs = {},
      ...json
    } = JSON.parse(JSON.stringify(made).replaceAll('"#/$defs/', '"#/components/schemas/'), withoutLimitsOfNumbers) as Json;
    for (const [name, definition] of Object.entries($defs as Json)) this.#named.set(name, definition);
    return json;
  }

  /** An answer that many routes have. */
  answer(name: string, answer: Json): Json {
    this.#answers.set(name, answer);
    return { $ref: `#/components/responses/${name}` };
  }

  get answers(): Json {
    return Object.fromEntries(this.#answers);
  }

  get schemas(): Json {
    return Object.fromEntries([...this.#named].sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}

/** Whole numbers have limits in JavaScript that are none of the field. */
const withoutLimitsOfNumbers = (key: string, value: unknown) =>
  (key === "minimum" || key === "maximum") && Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER ? undefined : value;

/** Patterns that say no more than the name of the format they belong to. */
const FORMATS_ALONE = new Set(["date", "date-time", "uuid", "uri"]);

/** What clients want to know: `true` in a query is text that means a boolean. */
function sayPlainly({ _zod: { def } }: z.core.$ZodTypes, json: Json): void {
  if (typeof json.format === "string" && FORMATS_ALONE.has(json.format)) delete json.pattern;
  if (def.type === "pipe" && def.out._zod.def.type === "boolean") json.type = "boolean";
  if (def.type === "default" && typeof def.defaultValue === "boolean") json.default = def.defaultValue;
}
