/** Protocol variant of an endpoint. Compatible endpoints differ in how JSON output and its length are requested. */
export interface Dialect {
  readonly format: "schema" | "json" | "words";
  readonly limit: "max_tokens" | "max_completion_tokens";
  readonly isCool: boolean;
}

export interface Question {
  /** The instructions. They contain no text of a page. */
  readonly system: string;
  /** The data to work on. */
  readonly data: string;
  readonly schema: object;
  /** Maximum number of output tokens. */
  readonly length: number;
}

export const usual: Dialect = { format: "schema", limit: "max_tokens", isCool: true };

/** Factor for reasoning models, which count their reasoning as output. */
const THOUGHTS = 4;

export const lengthIn = ({ limit }: Dialect, length: number): number => (limit === "max_tokens" ? length : length * THOUGHTS);

export function requestIn(dialect: Dialect, model: string, { system, data, schema, length }: Question): string {
  return JSON.stringify({
    model,
    messages: [
      { role: "system", content: system },
      { role: "user", content: data },
    ],
    [dialect.limit]: lengthIn(dialect, length),
    ...(dialect.isCool && { temperature: 0 }),
    ...(dialect.format === "schema" && {
      response_format: { type: "json_schema", json_schema: { name: "answer", strict: true, schema } },
    }),
    ...(dialect.format === "json" && { response_format: { type: "json_object" } }),
  });
}

/** The next variant to try after a refusal: drops the parameter that the complaint names, or else simplifies the output format. */
export function humbler(dialect: Dialect, complaint: string): Dialect | undefined {
  if (dialect.limit === "max_tokens" && complaint.includes("max_completion_tokens")) return { ...dialect, limit: "max_completion_tokens" };
  if (dialect.isCool && complaint.includes("temperature")) return { ...dialect, isCool: false };
  if (dialect.format === "schema") return { ...dialect, format: "json" };
  if (dialect.format === "json") return { ...dialect, format: "words" };
  return undefined;
}
