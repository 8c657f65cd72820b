import type { z } from "zod";
import { compilePatterns, PatternError } from "../../analysis/url/index.ts";
import { Config, fields } from "./config.ts";
import { expectedText, givenText, isHidden, suggestedFix } from "./error-text.ts";
import { FileSchema } from "./file-schema.ts";
import { type ConfigFile, isRecord } from "./read.ts";
import { hasPlainPassword } from "./secrets.ts";
import { SetupError } from "./setup-error.ts";
import { nearest } from "./suggest.ts";

/** An error in a config file, with a hint. */
export interface Problem {
  /** As a path: `sites[1].maxDepth`. */
  readonly where: string;
  readonly line: number | undefined;
  readonly message: string;
  readonly hint: string;
}

type Path = readonly PropertyKey[];
type Finding = Pick<Problem, "message" | "hint"> & { readonly path: Path };

/** All errors of a config file, in order. Includes sites that are not crawled now. */
export async function problemsIn({ content, lineOf }: ConfigFile): Promise<Problem[]> {
  const { error } = FileSchema.safeParse(content);
  const findings = [
    ...(error?.issues ?? []).flatMap((issue) => findingsOf(issue, content)),
    ...badPatterns(content),
    ...repeatedSites(content),
    ...exposedPasswords(content),
  ];
  const problems: Problem[] = [];
  for (const { path, ...finding } of findings) problems.push({ where: pathText(path), line: await lineOf(path), ...finding });
  return problems.sort((a, b) => (a.line ?? 0) - (b.line ?? 0));
}

/** Throws the first problem, for commands that use the file. */
export async function checkConfigFile(file: ConfigFile): Promise<void> {
  const [first, ...more] = await problemsIn(file);
  if (!first) return;
  const place = first.line === undefined ? file.name : `${file.name}, line ${first.line}`;
  const others = more.length === 0 ? "" : `; nuthatch config validate lists ${more.length} more`;
  throw new SetupError(`${first.message} (in ${place})`, `${first.hint}${others}`);
}

const pathText = (path: Path): string =>
  path.map((step, index) => (typeof step === "number" ? `[${step}]` : `${index === 0 ? "" : "."}${String(step)}`)).join("");

function findingsOf(issue: z.core.$ZodIssue, content: ConfigFile["content"]): Finding[] {
  const { path } = issue;
  if (issue.code === "unrecognized_keys") return issue.keys.map((key) => unknownKey([...path, key]));
  const field = fields.find(({ key }) => key === path.findLast((step) => Object.hasOwn(Config.shape, step)));
  const hint =
    suggestedFix(issue, content) ??
    (field ? `${field.key}: ${field.help}; for example ${field.example}` : sectionHints[String(path.at(-1))]);
  return [
    {
      path,
      message: `${pathText(path)}: ${expectedText(issue)}${field && isHidden(field) ? "" : givenText(issue, content)}`,
      hint: hint ?? sectionHints[String(path[0])] ?? "see nuthatch config schema",
    },
  ];
}

const sectionHints: Readonly<Record<string, string>> = {
  db: "write db: site.db",
  defaults: "write options below it: defaults: { maxDepth: 3 }",
  sites: "write a list: sites: [{ url: https://example.org }]",
  url: "write the whole address: url: https://example.org",
};

function unknownKey(path: Path): Finding {
  const key = String(path.at(-1));
  const message = `unknown option ${pathText(path)}`;
  if (path.length > 1 && Object.hasOwn(FileSchema.shape, key)) return { path, message, hint: `${key} belongs at the top of the file` };
  const near = nearest(key, namesAt(path.slice(0, -1)));
  return { path, message, hint: near ? `did you mean ${near}?` : "nuthatch config schema names all there are" };
}

function namesAt(path: Path): string[] {
  if (path.at(-1) === "priority") return Object.keys(Config.parse({}).priority);
  if (path.length === 0) return Object.keys(FileSchema.shape);
  return [...Object.keys(Config.shape), ...(path[0] === "sites" ? ["url"] : [])];
}

/** All objects that contain options, with their paths. */
function optionsIn(content: ConfigFile["content"]): [Path, Record<string, unknown>][] {
  const sites = Array.isArray(content.sites) ? content.sites : [];
  const places: [Path, unknown][] = [
    [[], content],
    [["defaults"], content.defaults],
    ...sites.map((site, index): [Path, unknown] => [["sites", index], site]),
  ];
  return places.filter((place): place is [Path, Record<string, unknown>] => isRecord(place[1]));
}

function badPatterns(content: ConfigFile["content"]): Finding[] {
  return optionsIn(content).flatMap(([path, options]) =>
    (["include", "exclude"] as const).flatMap((key) => {
      const patterns = Array.isArray(options[key]) ? (options[key] as unknown[]) : [];
      return patterns.flatMap((pattern, index) => {
        const problem = typeof pattern === "string" ? patternProblem(pattern) : undefined;
        const place = [...path, key, index];
        return problem ? [{ path: place, message: `${pathText(place)}: ${problem.message}`, hint: problem.hint }] : [];
      });
    }),
  );
}

/** Why a pattern is invalid; undefined if it is valid. */
export function patternProblem(pattern: string): PatternError | undefined {
  try {
    compilePatterns([pattern]);
    return undefined;
  } catch (error) {
    if (error instanceof PatternError) return error;
    throw error;
  }
}

function repeatedSites({ sites }: ConfigFile["content"]): Finding[] {
  const urls = (Array.isArray(sites) ? sites : []).map((site) => (isRecord(site) ? siteKey(String(site.url)) : undefined));
  return urls.flatMap((url, index) => {
    const first = urls.indexOf(url);
    if (url === undefined || first === index) return [];
    const path = ["sites", index, "url"];
    return [{ path, message: `${pathText(path)}: ${url} is sites[${first}] already`, hint: "keep one of them" }];
  });
}

/** Config files are shared, so a password in a URL in one is exposed. */
function exposedPasswords(value: unknown, path: Path = []): Finding[] {
  if (typeof value === "string" && hasPlainPassword(value))
    return [{ path, message: `${pathText(path)}: a password must not stand in a file`, hint: "write env:NAME in its place, and set NAME" }];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => exposedPasswords(item, [...path, Array.isArray(value) ? Number(key) : key]));
}

/** Identity of a site: `https://example.org` and `https://example.org/` are the same. */
export const siteKey = (url: string): string | undefined => (URL.canParse(url) ? new URL(url).href : undefined);
