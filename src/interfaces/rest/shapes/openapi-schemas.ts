/** OpenAPI schemas: named schemas are placed once under `components`, and all uses refer to them. */
import { z } from "zod";

export type Json = Record<string, unknown>;

export class Components {
  readonly #named = new Map<string, unknown>();
  readonly #answers = new Map<string, Json>();

  schemaOf(schema: z.ZodType, io: "input" | "output"): Json {
    const made = z.toJSONSchema(schema, {
      io,
      unrepresentable: "any",
      override: (context) => describeInput(context.zodSchema, context.jsonSchema),
    });
    const {
      $schema: _,
      $defs = {},
      ...json
    } = JSON.parse(JSON.stringify(made).replaceAll('"#/$defs/', '"#/components/schemas/'), withoutLimitsOfNumbers) as Json;
    for (const [name, definition] of Object.entries($defs as Json)) this.#named.set(name, definition);
    return json;
  }

  /** A response shared by many routes. */
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

/** Removes the limits of safe integers, which belong to JavaScript and not to the field. */
const withoutLimitsOfNumbers = (key: string, value: unknown) =>
  (key === "minimum" || key === "maximum") && Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER ? undefined : value;

/** Patterns of these formats add nothing to the name of the format. */
const PLAIN_FORMATS = new Set(["date", "date-time", "uuid", "uri"]);

/** Describes the value a client sends: a query parameter parsed from text to a boolean is a boolean, with its default. */
function describeInput({ _zod: { def } }: z.core.$ZodTypes, json: Json): void {
  if (typeof json.format === "string" && PLAIN_FORMATS.has(json.format)) delete json.pattern;
  if (def.type === "pipe" && def.out._zod.def.type === "boolean") json.type = "boolean";
  if (def.type === "default" && typeof def.defaultValue === "boolean") json.default = def.defaultValue;
}
