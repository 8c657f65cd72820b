import { flagLayer } from "../command.ts";
import { configuredService, findService, type Service, startedRun } from "../commands/service.ts";
import { withStored } from "../commands/stored.ts";
import { exitCodes } from "../exit-codes.ts";
import type { Globals } from "../globals.ts";
import { dbFlag, jsonDocument, paragraph, type Shell, write } from "../shell.ts";
import { remoteCommand } from "./remote-run.ts";

export interface DetachFlags extends Globals, Readonly<Record<string, unknown>> {
  readonly new?: boolean;
}

/** Hands crawls over to the server of this data file. The server has its own config file and environment, so only typed flags are sent. */
export async function detach(groups: readonly (readonly string[])[], flags: DetachFlags, shell: Shell): Promise<number> {
  const { values: config } = flagLayer(flags);
  const handOver = async (service: Service, hint: (command: string) => string) => {
    for (const urls of groups) {
      const run = startedRun(service, await service.request("POST", "/crawls", { urls, config, isNew: flags.new ?? false }));
      const hints = { watch: hint(`runs watch ${run.id}`), stop: hint(`runs stop ${run.id}`) };
      if (flags.json) await write(shell.stdout, jsonDocument({ run: run.id, status: run.status, server: service.url, ...hints }));
      else
        await write(
          shell.stdout,
          paragraph([
            `Run ${run.id} is at work in the server at ${service.url}`,
            `  watch     ${hints.watch}`,
            `  stop      ${hints.stop}`,
          ]),
        );
    }
  };
  const service = configuredService(shell);
  if (service) await handOver(service, (command) => remoteCommand({ service }, command));
  else
    await withStored(flags, shell, async (app, db) =>
      handOver(await findService(app, db, shell), (command) => `nuthatch ${command}${dbFlag(db)}`),
    );
  return exitCodes.ok;
}
