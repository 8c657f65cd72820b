import type { App } from "../../../engine/app.ts";
import { plural } from "../../../engine/telemetry/index.ts";
import { runStatus } from "../../../features/crawl/run-control.ts";
import { findRun } from "../../../features/pages/find.ts";
import type { Answer } from "../answer.ts";
import { findService } from "../commands/service.ts";
import type { Globals } from "../globals.ts";
import { paragraph, type Shell } from "../shell.ts";
import { followRun } from "./remote-run.ts";

interface WatchContext {
  readonly shell: Shell;
  readonly flags: Globals;
  readonly app: App;
  readonly db: string;
}

/** Follows a run that a server is doing on this data file, until it ends. Ctrl-C detaches; the run continues. */
export async function watchRun({ shell, flags, app, db }: WatchContext, number: string | undefined): Promise<Answer> {
  const { id } = await findRun(app, number);
  await followRun({ shell, flags, service: await findService(app, db, shell) }, id);
  const run = await findRun(app, String(id));
  const status = runStatus(app, run);
  const document = { run: { ...run, status } };
  if (status === "running") return { document, text: paragraph([`Run ${id} goes on.`]) };
  return { document, text: paragraph([`Run ${id} has ended: ${status}, ${plural(run.counters.pages, "page", "pages")}`]) };
}
