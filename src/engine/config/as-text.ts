import { SetupError } from "./setup-error.ts";

/** Converts values of a program to what a text file can express: regular expressions become `/text/`, undefined values are left out. */
export function toTextForm(value: unknown, name: string): unknown {
  if (value instanceof RegExp) return patternText(value, name);
  if (Array.isArray(value)) return value.map((item) => toTextForm(item, name));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([key, item]) => item !== undefined && !(item === null && isSection(key)));
  return Object.fromEntries(entries.map(([key, item]) => [key, toTextForm(item, name)]));
}

/** In YAML a section with only comments is null. */
const isSection = (key: string) => key === "defaults" || key === "sites";

/** The form that `--exclude` accepts. A pattern that could be read as a glob gets a group around it. */
function patternText({ source, flags }: RegExp, name: string): string {
  if (source.includes("**"))
    throw new SetupError(`${name}: /${source}/ holds **, which would be read as a glob`, "write the star once, or as \\x2a");
  return /[\\^$|()[\]+{}]/.test(source) ? `/${source}/${flags}` : `/(?:${source})/${flags}`;
}
