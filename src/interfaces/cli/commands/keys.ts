import type { Command } from "commander";
import { SetupError } from "../../../engine/config/index.ts";
import { createKey, keyRecord, keyScopes, removeKey } from "../../../features/keys/keys.ts";
import type { KeyScope } from "../../../store/index.ts";
import { type Answer, openAnswer } from "../answer.ts";
import { newCommand } from "../command.ts";
import type { Globals } from "../globals.ts";
import { configFileOf, dbPathOf, paragraph, type Shell, table } from "../shell.ts";
import { pickVerb } from "../verb.ts";
import { openData, withStored } from "./stored.ts";

const VERBS = ["list", "create", "rm"] as const;

interface KeyFlags extends Globals {
  readonly name: string;
  readonly scope: string;
}

export function build(shell: Shell, _exit: (code: number) => void): Command {
  return newCommand("keys", "Who may ask the server. A key is shown once, when it is made; of it only a hash is kept.")
    .argument(`[${VERBS.join("|")}]`, "list them (default), make one, or close one", "list")
    .argument("[number]", "with rm: which")
    .option("--name <text>", "with create: what it is for", "unnamed")
    .option(`--scope <${keyScopes.join("|")}>`, "with create: how far it opens", "read")
    .addHelpText(
      "after",
      `
Examples:
  nuthatch keys create --name dashboard --scope write
  nuthatch keys
  nuthatch keys rm 1`,
    )
    .action(async (given: string, number: string | undefined, flags: KeyFlags) => {
      const verb = pickVerb("keys", given, VERBS);
      const answer = openAnswer(shell, flags, "one");
      await answer(
        await { list: () => list(shell, flags), create: () => create(shell, flags), rm: () => remove(shell, flags, number) }[verb](),
      );
    });
}

const list = (shell: Shell, flags: KeyFlags) =>
  withStored(flags, shell, async ({ store }): Promise<Answer> => {
    const keys = (await store.keys.list()).map(keyRecord);
    const rows = keys.map(({ id, name, scope, madeAt, usedAt }) => [id, scope, madeAt, usedAt ?? "never", name]);
    const text =
      keys.length === 0
        ? paragraph(["There is no key: on loopback none is needed."])
        : table(["number", "scope", "made", "used", "name"], rows);
    return { document: { keys }, text };
  });

async function create(shell: Shell, flags: KeyFlags): Promise<Answer> {
  const scope = keyScopes.find((known) => known === flags.scope);
  if (scope === undefined) throw new SetupError(`${flags.scope} is no scope`, `--scope ${keyScopes.join(", or ")}`);
  const file = await configFileOf(flags, shell);
  const app = await openData(dbPathOf(flags, shell, file), flags, shell, file);
  try {
    const { key, card } = await createKey(app, { name: flags.name, scope: scope as KeyScope });
    if (!flags.quiet && !flags.json) shell.stderr.write("Keep it: it is shown this once.\n");
    return { document: { ...keyRecord(card), key }, text: `${key}\n` };
  } finally {
    await app.close();
  }
}

function remove(shell: Shell, flags: KeyFlags, number: string | undefined): Promise<Answer> {
  if (number === undefined || !/^\d+$/.test(number))
    throw new SetupError("which key?", "nuthatch keys lists their numbers: nuthatch keys rm 1");
  return withStored(flags, shell, async (app) => {
    await removeKey(app, Number(number));
    return { document: { removed: Number(number) }, text: paragraph([`key ${number} opens nothing any more`]) };
  });
}
