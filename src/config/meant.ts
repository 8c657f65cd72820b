import type { z } from "zod";
import { nearest } from "./suggest.ts";

/** What an option could have been. A union lists what each branch wanted; the last one, the written form, reads best. */
export function wanted(issue: z.core.$ZodIssue): string {
  if (issue.code === "invalid_value" && issue.values.length > 1) return `expected one of ${issue.values.join(", ")}`;
  if (issue.code === "too_small" && issue.message.startsWith("Too small")) return `must be at least ${issue.minimum}`;
  if (issue.code === "too_big" && issue.message.startsWith("Too big")) return `must be at most ${issue.maximum}`;
  if (issue.code !== "invalid_union" || issue.errors.length === 0) return issue.message.replace(/^Invalid (input|option): /, "");
  const texts = issue.errors.flatMap((branch) => branch.map(({ message }) => message));
  const forms = texts.map((text) =>
    text
      .replace(/^Invalid input: /, "")
      .replace(/^expected /, "")
      .replace(/, received .*/, ""),
  );
  return `expected ${[...new Set(forms)].join(", or ")}`;
}

/** What was probably meant by what was written there, if that can be told. */
export function meant(issue: z.core.$ZodIssue, written: unknown): string | undefined {
  const value = issue.path.reduce<unknown>((at, step) => (at as Record<PropertyKey, unknown> | undefined)?.[step], written);
  if (typeof value !== "string") return undefined;
  if (issue.code === "invalid_type" && issue.expected === "array") return `write a list: [${JSON.stringify(value)}]`;
  if (issue.code !== "invalid_value") return undefined;
  const near = nearest(value, issue.values.map(String));
  return near === undefined ? undefined : `did you mean ${near}?`;
}
