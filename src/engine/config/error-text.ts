import type { z } from "zod";
import type { Field } from "./config.ts";
import { withoutLogins } from "./secrets.ts";
import { nearest } from "./suggest.ts";

const amounts: Readonly<Record<string, string>> = { string: "have a number of characters of", array: "have a number of items of" };

/** The values that an option accepts. For a union all branches are listed, the written form last. */
export function expectedText(issue: z.core.$ZodIssue): string {
  if (issue.code === "invalid_value" && issue.values.length > 1) return `expected one of ${issue.values.join(", ")}`;
  if (issue.code === "too_small" && issue.message.startsWith("Too small"))
    return `must ${amounts[issue.origin] ?? "be"} at least ${issue.minimum}`;
  if (issue.code === "too_big" && issue.message.startsWith("Too big"))
    return `must ${amounts[issue.origin] ?? "be"} at most ${issue.maximum}`;
  if (issue.code === "invalid_type" && issue.expected === "boolean") return "expected true or false";
  if (issue.code === "unrecognized_keys") return `there is no ${issue.keys.join(", ")}`;
  if (issue.code !== "invalid_union" || issue.errors.length === 0)
    return issue.message.replace(/^Invalid (input|option): /, "").replace(/, received .*/, "");
  if (issue.message !== "Invalid input") return issue.message;
  const forms = issue.errors.flatMap((branch) => branch.map(expectedText)).map((text) => text.replace(/^expected /, ""));
  return `expected ${[...new Set(forms)].join(", or ")}`;
}

const MAX_VALUE_LENGTH = 60;

/** A proxy may contain a password without looking like a URL. */
export const isHidden = ({ key, isSecret }: Pick<Field, "key" | "isSecret">): boolean => isSecret || key === "proxy";

/** The value as written, for the error message: `, got "10y"`. A long list or object would only hide the message. */
export function givenText(issue: z.core.$ZodIssue, written: unknown): string {
  const value = valueAt(issue, written);
  if (value === undefined) return "";
  const text = JSON.stringify(withoutLogins(value));
  if (typeof value === "object" && text.length > MAX_VALUE_LENGTH) return "";
  return `, got ${text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH)}…` : text}`;
}

const valueAt = (issue: z.core.$ZodIssue, written: unknown): unknown =>
  issue.path.reduce<unknown>((value, step) => (value as Record<PropertyKey, unknown> | null | undefined)?.[step], written);

/** The probably intended value; undefined if it cannot be guessed. */
export function suggestedFix(issue: z.core.$ZodIssue, written: unknown): string | undefined {
  const value = valueAt(issue, written);
  if (typeof value !== "string") return undefined;
  if (issue.code === "invalid_type" && issue.expected === "array") return `write a list: [${JSON.stringify(value)}]`;
  if (issue.code !== "invalid_value") return undefined;
  const near = nearest(value, issue.values.map(String));
  return near === undefined ? undefined : `did you mean ${near}?`;
}
