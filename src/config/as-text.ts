import { SetupError } from "./setup-error.ts";

/** What a program may write and a file of text could not: expressions become `/text/`, and what is there but says nothing is left out. */
export function asText(value: unknown, name: string): unknown {
  if (value instanceof RegExp) return patternText(value, name);
  if (Array.isArray(value)) return value.map((item) => asText(item, name));
  if (typeof value !== "object" || value === null) return value;
  const said = Object.entries(value).filter(([key, item]) => item !== undefined && !(item === null && isSection(key)));
  return Object.fromEntries(said.map(([key, item]) => [key, asText(item, name)]));
}

/** In YAML a heading whose lines are all comments is null. */
const isSection = (key: string) => key === "defaults" || key === "sites";

/** As `--exclude` takes it. Where a reader could take it for a glob, it says more. */
function patternText({ source, flags }: RegExp, name: string): string {
  if (source.includes("**"))
    throw new SetupError(`${name}: /${source}/ holds **, which would be read as a glob`, "write the star once, or as \\x2a");
  return /[\\^$|()[\]+{}]/.test(source) ? `/${source}/${flags}` : `/(?:${source})/${flags}`;
}
