import type { App } from "../app.ts";
import { findRun } from "../operations/find.ts";
import { runStatus } from "../operations/run-control.ts";
import { several } from "../telemetry/index.ts";
import type { Answer } from "./answer.ts";
import type { Globals } from "./globals.ts";
import { followRun } from "./remote-run.ts";
import { findService } from "./service.ts";
import { paragraph, type Shell } from "./shell.ts";

interface Here {
  readonly shell: Shell;
  readonly flags: Globals;
  readonly app: App;
  readonly db: string;
}

/** Follows a run that a server is doing on this data file, until it ends. Ctrl-C detaches; the run continues. */
export async function watchRun({ shell, flags, app, db }: Here, number: string | undefined): Promise<Answer> {
  const { id } = await findRun(app, number);
  await followRun({ shell, flags, service: await findService(app, db, shell) }, id);
  const run = await findRun(app, String(id));
  const status = runStatus(app, run);
  const document = { run: { ...run, status } };
  if (status === "running") return { document, text: paragraph([`Run ${id} goes on.`]) };
  return { document, text: paragraph([`Run ${id} has ended: ${status}, ${several(run.counters.pages, "page", "pages")}`]) };
}
