/** What of the protocol an endpoint speaks. Compatible ones differ in how they are told to answer in JSON, and how much. */
export interface Dialect {
  readonly format: "schema" | "json" | "words";
  readonly limit: "max_tokens" | "max_completion_tokens";
  readonly isCool: boolean;
}

export interface Question {
  /** What it is to do. Ours alone: nothing of a page stands here. */
  readonly system: string;
  /** What it is to do it with. */
  readonly data: string;
  readonly schema: object;
  /** Most tokens of the answer. */
  readonly length: number;
}

export const usual: Dialect = { format: "schema", limit: "max_tokens", isCool: true };

/** Models that think before they speak count their thoughts as written. */
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

/** What to try after an endpoint refused a request: what it complains of is left out, and where it does not say, the form of the answer. */
export function humbler(dialect: Dialect, complaint: string): Dialect | undefined {
  if (dialect.limit === "max_tokens" && complaint.includes("max_completion_tokens")) return { ...dialect, limit: "max_completion_tokens" };
  if (dialect.isCool && complaint.includes("temperature")) return { ...dialect, isCool: false };
  if (dialect.format === "schema") return { ...dialect, format: "json" };
  if (dialect.format === "json") return { ...dialect, format: "words" };
  return undefined;
}
