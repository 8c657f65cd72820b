/** The playground's input as an API request, a command line and a config file. */

export interface Option {
  readonly name: string;
  readonly group: string;
  readonly flag: string;
  readonly help: string;
  readonly kind: "boolean" | "list" | "object" | "value";
  readonly choices: readonly string[];
  readonly default: unknown;
  /** Where the default comes from, if it is not built in. */
  readonly origin?: string;
}

/** Options of the site replace the built-in defaults. */
export const withOrigins = (options: readonly Option[], site: Readonly<Record<string, unknown>>): readonly Option[] =>
  options.map((option) =>
    Object.hasOwn(site, option.name) ? { ...option, default: site[option.name], origin: "the options of this site" } : option,
  );

export const MODES = ["fetch", "map", "context", "enrich", "crawl"] as const;
export type Mode = (typeof MODES)[number];

const option = (name: string, help: string, more: Partial<Option> = {}): Option => ({
  name,
  help,
  group: "Options",
  flag: `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
  kind: "value",
  choices: [],
  default: null,
  ...more,
});

/** Options of the modes other than crawl, whose options come from the server. */
export const optionsOf: Readonly<Record<Exclude<Mode, "crawl">, readonly Option[]>> = {
  fetch: [
    option("formats", "Which forms of the page", {
      flag: "--format",
      kind: "list",
      choices: ["markdown", "text", "html", "links", "meta"],
      default: ["markdown"],
    }),
    option("whole", "All of the page, not only its main part", { kind: "boolean", default: false }),
    option("render", "Show it to a browser: auto (if it says more there) or always", {
      choices: ["never", "auto", "always"],
    }),
  ],
  map: [
    option("depth", "Clicks from the start", { default: 2 }),
    option("limit", "At most this many URLs", { default: 5000 }),
    option("query", "Only URLs with one of these words, the best first"),
    option("includeExternal", "Also what lies outside", { kind: "boolean", default: false }),
  ],
  context: [
    option("maxLinks", "Follow at most this many links", { default: 5 }),
    option("minScore", "Follow only links of this relevance or more", { default: 0.4 }),
  ],
  enrich: [],
};

export type Values = Readonly<Record<string, unknown>>;

/** One pattern per line, because patterns may contain commas. */
export const isByLine = ({ name }: Pick<Option, "name">): boolean => name === "include" || name === "exclude";

/** Parses typed text for the option; undefined if empty. */
export function readValue({ name, kind, default: defaultValue }: Option, text: string): unknown {
  const given = text.trim();
  if (given === "") return undefined;
  if (kind === "boolean") return given === "true";
  if (kind === "list") return given.split(isByLine({ name }) ? "\n" : /[\n,]/).flatMap((part) => part.trim() || []);
  if (kind === "object") return readJson(given);
  const isNumber =
    /^-?\d{1,15}(\.\d{1,10})?$/.test(given) && (typeof defaultValue === "number" || defaultValue === null || defaultValue === "none");
  return isNumber ? Number(given) : given;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text; // the server then reports the expected form
  }
}

export interface Call {
  readonly method: "POST";
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
}

export function callOf(mode: Mode, url: string, values: Values): Call {
  const post = (path: string, body: Values): Call => ({ method: "POST", path, body });
  const { whole, ...others } = values;
  switch (mode) {
    case "fetch":
      return post("/scrape", { url, ...others, ...(whole === true && { part: "whole" }) });
    case "enrich":
      return post("/scrape", { url, formats: ["meta"] });
    case "map":
      return post("/map?wait=60s", { url, ...values });
    case "context":
      return post("/contexts?wait=120s", { url, ...values });
    default:
      return post("/crawls", { url, ...(Object.keys(values).length > 0 && { config: values }) });
  }
}

const quoted = (text: string) => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

/** As a command line. Objects have no flag and are set in the environment. */
export function asCli(mode: Mode, url: string, values: Values, options: readonly Option[]): string {
  const given = options.filter(({ name }) => values[name] !== undefined);
  const tables = given.filter(({ kind }) => kind === "object");
  const flags = given.flatMap((option) => flagsOf(option, values[option.name]));
  const env = tables.map(({ name }) => `NUTHATCH_${name.toUpperCase()}=${quoted(JSON.stringify(values[name]))}`);
  return [...env, "nuthatch", mode, quoted(url), ...flags].join(" ");
}

function flagsOf({ name, flag, kind }: Option, value: unknown): string[] {
  if (kind === "object") return [];
  if (kind === "boolean") return [value === true ? flag : flag.replace("--", "--no-")];
  if (!Array.isArray(value)) return [`${flag} ${quoted(String(value))}`];
  // On the command line, --keywords takes a file name.
  if (name === "keywords") return value.map((word) => `-k ${quoted(String(word))}`);
  return isByLine({ name }) ? value.map((one) => `${flag} ${quoted(String(one))}`) : [`${flag} ${quoted(value.join(","))}`];
}

/** As a config file: JSON values are valid YAML. */
export function asYaml(url: string, values: Values): string {
  const lines = Object.entries(values).map(([name, value]) => `    ${name}: ${JSON.stringify(value)}`);
  return [`sites:`, `  - url: ${JSON.stringify(url)}`, ...lines, ""].join("\n");
}
