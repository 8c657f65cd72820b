/** Protocol variant of an endpoint. Compatible endpoints differ in how JSON output and its length are requested. */
export interface Dialect {
  readonly format: "schema" | "json" | "words";
  readonly limit: "max_tokens" | "max_completion_tokens";
  readonly setsTemperature: boolean;
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

export const defaultDialect: Dialect = { format: "schema", limit: "max_tokens", setsTemperature: true };

/** Factor for reasoning models, which count their reasoning as output. */
const REASONING_FACTOR = 4;

export const maxTokensIn = ({ limit }: Dialect, length: number): number => (limit === "max_tokens" ? length : length * REASONING_FACTOR);

export function requestBody(dialect: Dialect, model: string, { system, data, schema, length }: Question): string {
  return JSON.stringify({
    model,
    messages: [
      { role: "system", content: system },
      { role: "user", content: data },
    ],
    [dialect.limit]: maxTokensIn(dialect, length),
    ...(dialect.setsTemperature && { temperature: 0 }),
    ...(dialect.format === "schema" && {
      response_format: { type: "json_schema", json_schema: { name: "answer", strict: true, schema } },
    }),
    ...(dialect.format === "json" && { response_format: { type: "json_object" } }),
  });
}

/** The next variant to try after a refusal: drops the parameter that the complaint names, or else simplifies the output format. */
export function simplerDialect(dialect: Dialect, complaint: string): Dialect | undefined {
  if (dialect.limit === "max_tokens" && complaint.includes("max_completion_tokens")) return { ...dialect, limit: "max_completion_tokens" };
  if (dialect.setsTemperature && complaint.includes("temperature")) return { ...dialect, setsTemperature: false };
  if (dialect.format === "schema") return { ...dialect, format: "json" };
  if (dialect.format === "json") return { ...dialect, format: "words" };
  return undefined;
}
