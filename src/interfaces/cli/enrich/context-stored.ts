import type { App } from "../../../engine/app.ts";
import { SetupError } from "../../../engine/config/index.ts";
import { listContexts, removeContext, storedContext } from "../../../features/context/context.ts";
import { openAnswer } from "../answer.ts";
import { withStored } from "../commands/stored.ts";
import { type Shell, table } from "../shell.ts";
import { type ContextFlags, openContextAnswer } from "./context-answer.ts";

/** Commands on stored contexts, which send no requests: `list`, `show` and `rm`. */
export async function storedContexts(verb: string, id: string | undefined, flags: ContextFlags, shell: Shell): Promise<void> {
  if (verb === "list") return list(flags, shell);
  if (id === undefined || !/^\d{1,15}$/.test(id))
    throw new SetupError(
      id === undefined ? "which context?" : `${id} is not the number of a context`,
      `nuthatch context ${verb} 1; nuthatch context list shows them`,
    );
  if (verb === "show") {
    const answer = openContextAnswer(flags, shell);
    return withStored(flags, shell, async (app) => answer.give((await storedContext(app, Number(id))) ?? unknownContext(id)));
  }
  const answer = openAnswer(shell, flags, "one");
  await withStored(flags, shell, async (app) => {
    if (!(await removeContext(app, Number(id)))) unknownContext(id);
    await answer({ text: `Removed context ${id}; its pages are kept.\n`, document: { removed: Number(id) } });
  });
}

function unknownContext(id: string): never {
  throw new SetupError(`there is no context ${id}`, "nuthatch context list shows them");
}

async function list(flags: ContextFlags, shell: Shell): Promise<void> {
  const answer = openAnswer(shell, flags, "list");
  await withStored(flags, shell, async (app) => {
    const records = await contextRecords(app);
    const rows = records.map(({ options, ...row }) => ({ ...row, options: JSON.stringify(options) }));
    const text = table(
      ["id", "made", "url"],
      records.map(({ id, madeAt, url }) => [id, madeAt, url]),
    );
    await answer({ text, document: { contexts: records }, records, rows });
  });
}

const contextRecords = async (app: App) =>
  (await listContexts(app)).map(({ madeAt, options, ...record }) => ({
    ...record,
    madeAt: new Date(madeAt).toISOString(),
    options: JSON.parse(options) as object,
  }));
