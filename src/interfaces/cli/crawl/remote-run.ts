import { SetupError } from "../../../engine/config/index.ts";
import { plural, printable } from "../../../engine/telemetry/index.ts";
import type { Answer } from "../answer.ts";
import { configuredService, type RemoteRun, remoteRun, remoteRuns, type Service } from "../commands/service.ts";
import type { Globals } from "../globals.ts";
import { paragraph, quotedArg, type Shell, write } from "../shell.ts";
import { onStopSignal } from "../stop-signal.ts";

export interface Remote {
  readonly shell: Shell;
  readonly flags: Globals;
  readonly service: Service;
}

/** The server of CRAWLER_SERVICE_URL, unless --db names a local data file. */
export function remoteOf(flags: Globals, shell: Shell): Remote | undefined {
  const service = flags.db === undefined ? configuredService(shell) : undefined;
  return service && { shell, flags, service };
}

/** A command that reaches the same server from any folder and shell. */
export const remoteCommand = ({ service }: Pick<Remote, "service">, command: string): string =>
  `CRAWLER_SERVICE_URL=${quotedArg(service.url)} nuthatch ${command}`;

export async function watchRemote(remote: Remote, number: string | undefined): Promise<Answer> {
  const { id } = await fetchRun(remote, number);
  const isDetached = await followRun(remote, id);
  const run = await fetchRun(remote, String(id));
  const document = { run, server: remote.service.url };
  if (isDetached && run.stopReason === null) return { document, text: paragraph([`Run ${id} goes on.`]) };
  return { document, text: paragraph([endLine(run)]) };
}

export async function stopRemote(remote: Remote, number: string | undefined): Promise<Answer> {
  const { id } = await fetchRun(remote, number);
  await remote.service.request("POST", `/crawls/${id}/stop`);
  if (!remote.flags.quiet) await write(remote.shell.stderr, `Run ${id} is asked to stop; it finishes what is in flight.\n`);
  const run = await fetchRun(remote, String(id));
  const text = run.stopReason === null ? `Run ${id} still finishes what is in flight.` : endLine(run);
  return { document: { run: id, status: run.stopReason ?? run.status, pages: run.counters.pages }, text: paragraph([text]) };
}

/** Prints events of a run until it ends. Ctrl-C detaches and the run continues; returns true in that case. */
export async function followRun({ shell, flags, service }: Remote, id: number): Promise<boolean> {
  const detached = new AbortController();
  const stopListening = onStopSignal(() => detached.abort());
  try {
    for await (const { type, data } of service.events(`/crawls/${id}/events`, detached.signal)) {
      const line = flags.json || flags.quiet ? undefined : lineOf(type, data.data);
      if (line !== undefined) await write(shell.stdout, `${printable(line, 2000)}\n`);
    }
  } catch (cause) {
    if (!detached.signal.aborted) throw cause;
  } finally {
    stopListening();
  }
  return detached.signal.aborted;
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

/** The latest run, unless a number is given. */
async function fetchRun({ service }: Remote, number: string | undefined): Promise<RemoteRun> {
  if (number !== undefined && !/^\d{1,15}$/.test(number)) throw new SetupError(`${number} is not the number of a run`, "a whole number");
  if (number !== undefined) return remoteRun(service, await service.request("GET", `/crawls/${number}`));
  const [latest] = remoteRuns(service, await service.request("GET", "/crawls?limit=1"));
  if (latest) return latest;
  throw new SetupError(`the server at ${service.url} has no runs`, "hand one over: nuthatch crawl https://example.org --detach");
}

const endLine = ({ id, status, stopReason, counters }: RemoteRun) =>
  `Run ${id} has ended: ${printable(stopReason ?? status)}, ${plural(counters.pages, "page", "pages")}`;
