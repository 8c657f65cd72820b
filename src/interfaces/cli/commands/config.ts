import type { Command } from "commander";
import {
  type ConfigFile,
  configJsonSchema,
  type Field,
  fields,
  ignoreLayers,
  nearest,
  type Problem,
  parseConfigFile,
  problemsIn,
  resolveLayers,
  SetupError,
  siteKey,
  sitesIn,
  withoutLogins,
} from "../../../engine/config/index.ts";
import { type Answer, openAnswer } from "../answer.ts";
import { addConfigFlags, flagLayer, layersOf, newCommand } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import type { Globals } from "../globals.ts";
import { configFileOf, configPathOf, dbPathOf, paragraph, type Shell, table } from "../shell.ts";
import { pickVerb } from "../verb.ts";

interface ConfigFlags extends Globals, Readonly<Record<string, unknown>> {
  readonly origin?: boolean;
}

const VERBS = ["show", "validate", "schema"] as const;

export function build(shell: Shell, exit: (code: number) => void): Command {
  const command = newCommand(
    "config",
    "The options as they hold, and where each was said; whether a config file is right; its schema for editors.",
  )
    .argument("[show|validate|schema]", "show (default), validate or schema")
    .argument("[what]", "with show: a site; with validate: a config file")
    .option("--origin", "with show: where each value was said");
  addConfigFlags(command);
  command.addHelpText(
    "after",
    `
Examples:
  nuthatch config show --origin
  nuthatch config show https://example.org --preset context
  nuthatch config validate
  nuthatch config schema -o nuthatch.schema.json`,
  );
  return command.action(async (given = "show", what: string | undefined, flags: ConfigFlags) => {
    const verb = pickVerb("config", given, VERBS);
    const answer = openAnswer(shell, flags, "one");
    if (verb === "show") return answer(await show(what, flags, shell));
    const [option] = flags.origin ? ["origin"] : Object.keys(flagLayer(flags).values);
    if (option !== undefined) throw new SetupError(`config ${verb} has no use for ${option}`, `it is for nuthatch config show`);
    if (verb === "schema") return answer(schema(what));
    const { isValid, ...result } = await validate(what, flags, shell);
    await answer(result);
    exit(isValid ? exitCodes.ok : exitCodes.usage);
  });
}

function schema(what: string | undefined): Answer {
  if (what !== undefined) throw new SetupError(`config schema has no use for ${what}`, "-o writes it to a file");
  const document = configJsonSchema();
  return { document, text: `${JSON.stringify(document, null, 2)}\n` };
}

async function show(site: string | undefined, flags: ConfigFlags, shell: Shell): Promise<Answer> {
  const file = await configFileOf(flags, shell);
  const url = site === undefined ? undefined : findConfiguredSite(site, file);
  const { config, written, origins } = resolveLayers(layersOf(flags, shell, file, url === undefined ? [] : [url]));
  const db = dbPathOf(flags, shell, file);
  const shownValue = (field: Field): unknown => {
    if (field.isSecret) return written[field.key] === undefined ? undefined : HIDDEN;
    return withoutLogins(field.kind === "object" ? config[field.key as keyof typeof config] : (written[field.key] ?? field.builtIn));
  };
  const originOf = ({ key }: Field) => (origins.get(key) ?? []).map(({ from, spell }) => spell?.(key) ?? from).join(", ") || BUILT_IN;
  const shown = fields.map((field) => ({ key: field.key, value: shownValue(field) ?? null, from: originOf(field) }));
  const rows = [
    { key: "config", value: file?.name ?? null, from: flags.config === undefined ? "found upward" : "--config" },
    { key: "db", value: db, from: dbOrigin(flags, shell, file) },
    ...shown,
  ].map(({ key, value, from }) => [key, displayText(value), ...(flags.origin ? [from] : [])]);
  const document = {
    file: file?.name ?? null,
    db,
    site: url ?? null,
    options: Object.fromEntries(shown.map(({ key, value }) => [key, value])),
    ...(flags.origin ? { origins: Object.fromEntries(shown.map(({ key, from }) => [key, from])) } : {}),
  };
  return { document, text: table(["option", "value", ...(flags.origin ? ["from"] : [])], rows) };
}

const HIDDEN = "(hidden)";
const BUILT_IN = "built in";

function dbOrigin(flags: ConfigFlags, { env }: Shell, file: ConfigFile | undefined): string {
  if (flags.db !== undefined) return "--db";
  if (env.NUTHATCH_DB !== undefined) return "NUTHATCH_DB";
  return file?.content.db === undefined ? BUILT_IN : file.name;
}

/** Cuts long lists; --json prints them completely. */
function displayText(value: unknown): string {
  if (value === null) return "–";
  if (!Array.isArray(value)) return typeof value === "object" ? pairs(value) : String(value);
  return value.length > 6 ? `${value.slice(0, 4).join(" ")} … (${value.length})` : value.join(" ") || "–";
}

const pairs = (value: object) =>
  Object.entries(value)
    .map(([key, item]) => `${key} ${typeof item === "object" ? JSON.stringify(item) : item}`)
    .join(", ");

/** Finds a site of the config file by URL or by host name. */
function findConfiguredSite(text: string, file: ConfigFile | undefined): string {
  const known = file ? sitesIn(file) : [];
  const found = known.find((url) => siteKey(url) === siteKey(text) || new URL(url).host === text);
  if (found !== undefined || /^https?:\/\//i.test(text)) return found ?? text;
  const near = nearest(
    text,
    known.map((url) => new URL(url).host),
  );
  throw new SetupError(
    `there is no site ${text} in ${file?.name ?? "a config file"}`,
    near ? `did you mean ${near}?` : "name it by its address: https://…",
  );
}

async function validate(given: string | undefined, flags: ConfigFlags, shell: Shell): Promise<Answer & { isValid: boolean }> {
  const path = given ?? configPathOf(flags, shell);
  if (path === undefined) throw new SetupError("there is no config file here or above", "nuthatch init writes one");
  const { file, problems } = await findProblems(path, shell);
  const document = { file: path, valid: problems.length === 0, problems };
  if (problems.length === 0) {
    const sites = file ? sitesIn(file).length : 0;
    return { isValid: true, document, text: paragraph([`${path} is right: ${sites} ${sites === 1 ? "site" : "sites"}`]) };
  }
  const lines = problems.flatMap(({ line, message, hint }) => [
    `  ${line === undefined ? "" : `line ${line}: `}${message}`,
    `    try: ${hint}`,
  ]);
  const count = `${problems.length} ${problems.length === 1 ? "problem" : "problems"}`;
  return { isValid: false, document, text: paragraph([`${path} has ${count}:`, ...lines]) };
}

/** A config file that cannot be parsed is reported as a problem of the file. */
async function findProblems(path: string, shell: Shell): Promise<{ file?: ConfigFile; problems: Problem[] }> {
  try {
    const file = await parseConfigFile(path, shell.stdin);
    const problems = await problemsIn(file);
    if (problems.length === 0) ignoreLayers(shell.cwd, file.folder);
    return { file, problems };
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    return { problems: [{ where: "", line: undefined, message: error.message, hint: error.hint }] };
  }
}
