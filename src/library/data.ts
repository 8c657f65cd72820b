/** What zod, valibot, arktype and others have in common (standardschema.dev): enough to check what a plugin gathers. */
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

/** A page's data while a plugin gathers it: nothing is there yet. Without a schema it may be anything, and is kept as it is. */
export type Draft<Schema extends DataSchema> =
  DataSchema<NoData, NoData> extends Schema
    ? Record<string, unknown>
    : {
        -readonly [Field in keyof Types<Schema>["input"]]?: Types<Schema>["input"][Field];
      };

/** What is promised of it: all of the schema if nothing has to be gathered for that, else what was found. */
export type Gathered<Schema extends DataSchema> = NoData extends Types<Schema>["input"]
  ? Types<Schema>["output"]
  : Partial<Types<Schema>["output"]>;

/** The checked data, or what is wrong with it. */
export async function check(schema: DataSchema, draft: unknown): Promise<{ data: object } | { problem: string }> {
  const verdict = await schema["~standard"].validate(draft);
  if (verdict.issues === undefined) return { data: verdict.value as object };
  const [{ message, path } = { message: "does not fit its schema" }] = verdict.issues;
  const field = path?.map((part) => String(typeof part === "object" ? part.key : part)).join(".");
  return { problem: field ? `${field}: ${message}` : message };
}
