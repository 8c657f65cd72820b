import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { Command } from "commander";
import { type App, openApp } from "../../../engine/app.ts";
import { SetupError } from "../../../engine/config/index.ts";
import { plural, size } from "../../../engine/telemetry/index.ts";
import { backupFile, checkFile, vacuumFile } from "../../../features/data-file/data-file.ts";
import { hasData, isPostgres, SCHEMA_VERSION } from "../../../store/index.ts";
import { type Answer, openAnswer } from "../answer.ts";
import { newCommand } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import type { Globals } from "../globals.ts";
import { checkWritable } from "../output.ts";
import { configFileOf, dbFlag, dbPathOf, paragraph, type Shell } from "../shell.ts";
import { pickVerb } from "../verb.ts";
import { withStored } from "./stored.ts";

const VERBS = ["path", "check", "vacuum", "backup", "migrate"] as const;

interface DbContext {
  readonly app: App;
  readonly db: string;
  readonly exit: (code: number) => void;
}

export function build(shell: Shell, exit: (code: number) => void): Command {
  return newCommand("db", "The data file: where it is, whether it is sound, smaller, copied, or of today's schema.")
    .argument(
      `<${VERBS.join("|")}>`,
      "path: where it is. check: look through all of it. vacuum: give unused room back to the disk. backup: a whole copy, also during a crawl. migrate: bring it to today's schema",
    )
    .argument("[file]", "backup: where to (default: beside it, with the date)")
    .action(async (given: string, file: string | undefined, flags: Globals) => {
      const verb = pickVerb("db", given, VERBS);
      if (file !== undefined && verb !== "backup") throw new SetupError(`db ${verb} takes no file`, `the data file is named with --db`);
      const answer = openAnswer(shell, flags, "one");
      if (verb === "path") return answer(await locate(shell, flags));
      if (verb === "migrate") await createSchema(shell, flags);
      await withStored(flags, shell, async (app, db) => {
        const context = { app, db, exit };
        await answer(verb === "backup" ? await backup(context, file) : await actions[verb](context));
      });
    });
}

/** Creates the schema in an empty database. Data files are created by the crawl. */
async function createSchema(shell: Shell, flags: Globals): Promise<void> {
  const db = dbPathOf(flags, shell, await configFileOf(flags, shell));
  if (isPostgres(db) && !(await hasData(db))) await (await openApp({ db })).close();
}

async function locate(shell: Shell, flags: Globals): Promise<Answer> {
  const db = dbPathOf(flags, shell, await configFileOf(flags, shell));
  if (isPostgres(db)) return { document: { path: db, exists: await hasData(db), bytes: null }, text: paragraph([db]) };
  const path = resolve(shell.cwd, db);
  const exists = existsSync(path);
  return { document: { path, exists, bytes: exists ? statSync(path).size : null }, text: paragraph([path]) };
}

const actions = {
  check: async ({ app, db, exit }) => {
    const { problems, ...report } = await checkFile(app);
    const document = { path: db, schema: SCHEMA_VERSION, isSound: problems.length === 0, problems, ...report };
    if (problems.length === 0) {
      const parts = [plural(report.sites, "site", "sites"), plural(report.runs, "run", "runs"), plural(report.pages, "page", "pages")];
      return { document, text: paragraph([`${db} is sound: ${parts.join(", ")}, ${size(report.bytes)}, schema ${SCHEMA_VERSION}`]) };
    }
    exit(exitCodes.storage);
    const advice = `  try: keep a copy (nuthatch db backup${dbFlag(db)}), then restore an earlier one or crawl into a new file`;
    return { document, text: paragraph([`${db} is not sound:`, ...problems.map((problem) => `  ${problem}`), advice]) };
  },
  vacuum: async ({ app, db }) => {
    const { before, after } = await vacuumFile(app);
    const text = paragraph([`${db}: ${size(before)} before, ${size(after)} now`]);
    return { document: { path: db, before, after }, text };
  },
  migrate: async ({ app, db }) => {
    const { from, to, backup: kept } = app.store.upgrade ?? { from: SCHEMA_VERSION, to: SCHEMA_VERSION, backup: undefined };
    const text = from === to ? `${db} is of today's schema, ${to}` : `${db} was of schema ${from}, is of ${to} now; as it was: ${kept}`;
    return { document: { path: db, from, to, backup: kept ?? null }, text: paragraph([text]) };
  },
} satisfies Record<string, (context: DbContext) => Promise<Answer>>;

async function backup({ app, db }: DbContext, given: string | undefined): Promise<Answer> {
  const path = given ?? `${db}.${new Date().toISOString().slice(0, 19).replaceAll(":", "-")}.bak`;
  if (!isPostgres(db)) checkWritable(path);
  await backupFile(app, path);
  const bytes = statSync(path).size;
  return { document: { path, bytes }, text: paragraph([`${path}  ${size(bytes)}`]) };
}
