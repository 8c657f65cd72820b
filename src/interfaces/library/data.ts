/** The common interface of zod, valibot, arktype and others (standardschema.dev), as far as it is needed to validate plugin data. */
export interface DataSchema<Input = unknown, Output = unknown> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => SchemaVerdict<Output> | Promise<SchemaVerdict<Output>>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

export type SchemaVerdict<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | {
      readonly issues: readonly {
        readonly message: string;
        readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
      }[];
    };

export type NoData = Record<never, never>;

type Types<Schema extends DataSchema> = NonNullable<Schema["~standard"]["types"]>;

/** A page's data while plugins fill it: initially empty. Without a schema any value is allowed and kept as it is. */
export type Draft<Schema extends DataSchema> =
  DataSchema<NoData, NoData> extends Schema
    ? Record<string, unknown>
    : {
        -readonly [Field in keyof Types<Schema>["input"]]?: Types<Schema>["input"][Field];
      };

/** The type of the result: the schema's full output if it accepts an empty input, else a partial one. */
export type Gathered<Schema extends DataSchema> = NoData extends Types<Schema>["input"]
  ? Types<Schema>["output"]
  : Partial<Types<Schema>["output"]>;

/** The validated data, or the first problem. */
export async function check(schema: DataSchema, draft: unknown): Promise<{ data: object } | { problem: string }> {
  const verdict = await schema["~standard"].validate(draft);
  if (verdict.issues === undefined) return { data: verdict.value as object };
  const [{ message, path } = { message: "does not fit its schema" }] = verdict.issues;
  const field = path?.map((part) => String(typeof part === "object" ? part.key : part)).join(".");
  return { problem: field ? `${field}: ${message}` : message };
}
