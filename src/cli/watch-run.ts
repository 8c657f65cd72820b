import type { App } from "../app.ts";
import { findRun } from "../operations/find.ts";
import { runStatus } from "../operations/run-control.ts";
import { printable } from "../telemetry/index.ts";
import type { Answer } from "./answer.ts";
import type { Globals } from "./globals.ts";
import { findService } from "./service.ts";
import { paragraph, type Shell, write } from "./shell.ts";
import { onStopSignal } from "./stop-signal.ts";

interface Here {
  readonly shell: Shell;
  readonly flags: Globals;
  readonly app: App;
  readonly db: string;
}

/** Follows a run that a server has at work, until it ends. Ctrl-C leaves; the run goes on. */
export async function watchRun({ shell, flags, app, db }: Here, number: string | undefined): Promise<Answer> {
  const { id } = await findRun(app, number);
  const service = await findService(app, db, shell);
  const leave = new AbortController();
  const forget = onStopSignal(() => leave.abort());
  try {
    for await (const { type, data } of service.events(`/crawls/${id}/events`, leave.signal)) {
      const line = flags.json || flags.quiet ? undefined : lineOf(type, data.data);
      if (line !== undefined) await write(shell.stdout, `${printable(line, 2000)}\n`);
    }
  } catch (cause) {
    if (!leave.signal.aborted) throw cause;
  } finally {
    forget();
  }
  const run = await findRun(app, String(id));
  const status = runStatus(app, run);
  const document = { run: { ...run, status } };
  if (status === "running") return { document, text: paragraph([`Run ${id} goes on.`]) };
  return { document, text: paragraph([`Run ${id} has ended: ${status}, ${run.counters.pages} pages`]) };
}

function lineOf(type: string, data: Readonly<Record<string, unknown>>): string | undefined {
  switch (type) {
    case "page.fetched":
    case "page.gone":
      return `${data.status}  ${String(data.change).padEnd(8)} ${data.url}`;
    case "url.settled":
      return `${data.status ?? "---"}  ${String(data.verdict).padEnd(8)} ${data.url}  ${data.rule || data.reason}`;
    default:
      return undefined;
  }
}
