/** Crawl options a request may set: no paths, no secrets, no code. */
import { z } from "zod";
import { compileScope } from "../../analysis/url/index.ts";
import { type Field, fields, nearest, resolveConfig } from "../../engine/config/index.ts";
import { Problem } from "./problem.ts";

export type Values = Readonly<Record<string, unknown>>;

/** These could reach private networks, send keys elsewhere, or ignore robots.txt, so only the operator of the server may set them. */
const OPERATOR_ONLY = new Set(["allowPrivate", "resolver", "llmUrl", "respectRobots"]);

const mayBeSet = ({ key, isPath, isSecret, isKept }: Field) =>
  !isPath && !isSecret && (isKept || key === "keywords") && !OPERATOR_ONLY.has(key);

export const requestFields: readonly Field[] = fields.filter(mayBeSet);

const settableKeys = new Set(requestFields.map(({ key }) => key));

const inputSchema = ({ schema, help, builtIn }: Field) => {
  const {
    $schema: _,
    path: __,
    kept: ___,
    default: ____,
    ...json
  } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as Record<string, unknown>;
  return { ...json, description: help, ...(builtIn !== undefined && { default: builtIn }) };
};

/** Options in their written form. They are parsed when the run starts; OpenAPI describes each of them. */
export const RequestOptions = z.record(z.string(), z.unknown()).meta({
  id: "CrawlOptions",
  additionalProperties: false,
  properties: Object.fromEntries(requestFields.map((field) => [field.key, inputSchema(field)])),
});

/** Rejects options a request may not set, each by name; `besides` are other fields of the body, used for suggestions. */
export function checkOptions(values: Values, pointer = "/body/config", otherFields: readonly string[] = []): void {
  const refused = Object.keys(values).filter((key) => !settableKeys.has(key) && !(key === "respectRobots" && values[key] === true));
  if (refused.length === 0) return;
  const errors = refused.map((key) => {
    const suggestion = isOption(key) ? undefined : nearest(key.slice(0, 100), [...settableKeys, ...otherFields]);
    return { pointer: `${pointer}/${key}`, message: messageFor(key), ...(suggestion !== undefined && { suggestion }) };
  });
  throw new Problem("validation", errors.map(({ message }) => message).join("; "), { errors });
}

/** Merges options given beside the other body fields with those under `config`; each may be given only once. */
export function mergeOptions(inBody: Values, config: Values, fieldsOfBody: readonly string[]): Values {
  checkOptions(inBody, "/body", fieldsOfBody);
  checkOptions(config);
  const repeated = Object.keys(inBody).filter((name) => Object.hasOwn(config, name));
  if (repeated.length > 0) {
    const errors = repeated.map((name) => ({ pointer: `/body/${name}`, message: `${name} is said in config, too: say it once` }));
    throw new Problem("validation", errors.map(({ message }) => message).join("; "), { errors });
  }
  return { ...inBody, ...config };
}

const isOption = (key: string) => fields.some((field) => field.key === key);

const messageFor = (key: string) =>
  isOption(key) ? `${key} cannot be set over the API: say it where the server is started` : `there is no option ${key}`;

const KeywordList = z.array(z.strictObject({ word: z.string(), weight: z.number().default(1) })).min(1);

/** Accepts keywords as a list of words with weights (the form in which the API returns them) and converts it to the form of the option. */
export function normalizeKeywords(values: Values): Values {
  const words = KeywordList.safeParse(values.keywords);
  return words.success ? { ...values, keywords: Object.fromEntries(words.data.map(({ word, weight }) => [word, weight])) } : values;
}

/** Validates options when they are stored, so that errors are reported to the client that sends them. */
export function checkStoredOptions(values: Values): void {
  checkOptions(values);
  compileScope([], resolveConfig([{ from: "config", values: normalizeKeywords(values) }]));
}
