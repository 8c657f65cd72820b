/** Dates in addresses: /2019/05/13/, 2019-05-13, 20190513. */
import { dayOf } from "./date-text.ts";

const patterns = [
  ["slashes", /\/((?:19|20)\d{2})\/(\d{1,2})\/(\d{1,2})(?=\/|$|[-_.])/],
  ["dashes", /(?<!\d)((?:19|20)\d{2})[-_.](\d{1,2})[-_.](\d{1,2})(?!\d)/],
  ["half slashes", /\/((?:19|20)\d{2})[-/]?(\d{2})\/?(\d{2})(?=\/)/],
  ["digits", /(?<![\dA-Za-z])((?:19|20)\d{2})(\d{2})(\d{2})(?!\d)/],
] as const;

export function dateInUrl(url: string): { readonly day: string; readonly form: string } | undefined {
  const path = url.slice(0, 2000).replace(/^[a-z]+:\/\/[^/]*/i, "");
  for (const [form, pattern] of patterns) {
    const [, year, month, date] = pattern.exec(path) ?? [];
    const day = year === undefined ? undefined : dayOf(Number(year), Number(month), Number(date));
    if (day !== undefined) return { day, form };
  }
  return undefined;
}

/** Year and month alone, as in many blogs: `2019-05`. */
export function monthInUrl(url: string): string | undefined {
  const [, year, month] = /\/((?:19|20)\d{2})[-/](0[1-9]|1[0-2])(?=\/)/.exec(url.slice(0, 2000)) ?? [];
  return year === undefined ? undefined : `${year}-${month}`;
}
