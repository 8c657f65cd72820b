import type { Command } from "commander";
import type { App } from "../../../engine/app.ts";
import { parseDuration, SetupError } from "../../../engine/config/index.ts";
import { type HostPause, pauseCauseText, pauseText } from "../../../engine/crawl/index.ts";
import { printable } from "../../../engine/telemetry/index.ts";
import {
  emptyHostStatus,
  type HostEdit,
  type HostStatus,
  hostStatus,
  hostStatuses,
  leaseHolders,
  pauseOf,
  setHostLimits,
} from "../../../features/hosts/hosts.ts";
import { newCommand } from "../command.ts";
import { addListFlags, type ListFlags, type ListShape, openList, sortItems } from "../list.ts";
import { type Shell, write } from "../shell.ts";
import { pickVerb } from "../verb.ts";
import { withStored } from "./stored.ts";

const VERBS = ["list", "pause", "slow", "free"] as const;
type Verb = (typeof VERBS)[number];

const shape: ListShape = {
  columns: ["host", "pausedUntil", "rate", "waitsUntil", "why", "waitsSince", "failures", "worker"],
  shown: ["host", "pausedUntil", "rate", "waitsUntil", "why", "waitsSince", "worker"],
  sparse: ["pausedUntil", "rate", "waitsUntil", "why", "waitsSince", "worker"],
  sort: "host",
};
const EXAMPLES = `
Examples:
  nuthatch hosts pause example.org 2h
  nuthatch hosts slow example.org 10/m
  nuthatch hosts free example.org`;

export function build(shell: Shell, _exit: (code: number) => void): Command {
  const command = newCommand(
    "hosts",
    "Hosts that have to wait, why, since when and until when; and those that you want left alone for a while, or asked more slowly: by crawls under way, and by all that come.",
  )
    .argument(
      `[${VERBS.join("|")}]`,
      "list them (default), pause a host, slow it down, or take that back and clear what is ours of its wait: back-off and rate, never Retry-After or Crawl-delay",
      "list",
    )
    .argument("[host]", "its name, with the port if it has one of its own")
    .argument("[amount]", "with pause: how long, such as 2h; with slow: requests at most, such as 10/m");
  return addListFlags(command, shape)
    .addHelpText("after", EXAMPLES)
    .action(async (given: string, host: string | undefined, amount: string | undefined, flags: ListFlags) => {
      const verb = pickVerb("hosts", given, VERBS);
      const edit = editFor(verb, host, amount);
      const print = openList(shell, flags, { name: "hosts", shape });
      await withStored(flags, shell, async (app) => {
        const hadNothing = verb === "free" && hasNothingStored(await hostStatus(app, host!));
        if (edit) await setHostLimits(app, host!, edit);
        const listed = (await hostsWithWorkers(app)).map((said) => {
          const pause = pauseOf(said);
          return { record: said, row: { ...said, why: pause ? pauseCauseText(pause) : null } };
        });
        await print(sortItems(listed, flags.sort));
        const pause = verb === "free" ? pauseOf(await hostStatus(app, host!)) : undefined;
        if (hadNothing && !flags.quiet) await write(shell.stderr, `${printable(host!)} was neither paused, slowed down nor waiting\n`);
        if (pause && !flags.quiet) await write(shell.stderr, `${printable(remainingPause(pause))}\n`);
      });
    });
}

/** True if nothing is stored for the host. A name without its port is another host, so a user who forgets the port must be told. */
const hasNothingStored = ({ pausedUntil, rate, waitsUntil }: HostStatus) => pausedUntil === null && rate === null && waitsUntil === null;

function remainingPause(pause: HostPause): string {
  const words = pauseText(pause, Date.now());
  const isSetByHost = pause.cause === "retry-after" || pause.cause === "crawl-delay";
  return isSetByHost ? `${words}: the host asked for that itself, so it stands` : words;
}

/** With a shared database: also the hosts leased by a worker process, with its name. */
async function hostsWithWorkers(app: App): Promise<HostStatus[]> {
  const [said, holders] = [await hostStatuses(app), await leaseHolders(app)];
  const knownHosts = new Set(said.map(({ host }) => host));
  const leased = [...holders.keys()].filter((host) => !knownHosts.has(host)).map(emptyHostStatus);
  return [...said, ...leased].map((one) => (app.store.workers.canShare ? { ...one, worker: holders.get(one.host)?.name ?? null } : one));
}

function editFor(verb: Verb, host: string | undefined, amount: string | undefined): HostEdit | undefined {
  if (verb === "list") return undefined;
  const example = { pause: " 2h", slow: " 10/m", free: "" }[verb];
  if (host === undefined) throw new SetupError("which host?", `nuthatch hosts ${verb} example.org${example}`);
  if (verb === "free") return { pausedUntil: null, rate: null, clearWait: true };
  if (amount === undefined)
    throw new SetupError(verb === "pause" ? "for how long?" : "how slow?", `nuthatch hosts ${verb} ${host}${example}`);
  if (verb === "slow") return { rate: amount };
  const pause = parseDuration("hosts pause", amount, `nuthatch hosts pause ${host} 2h`);
  return { pausedUntil: new Date(Date.now() + pause).toISOString() };
}
