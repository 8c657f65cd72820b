/** Several processes of the real program at one database. */
import { setTimeout as sleep } from "node:timers/promises";
import { type Ended, start } from "../cli.ts";
import type { Database } from "./database.ts";
import type { ManyHosts } from "./site.ts";

export interface Member {
  readonly pid: number;
  readonly ended: Promise<Ended>;
  readonly isAtWork: boolean;
  kill(signal: NodeJS.Signals): void;
}

export interface Crew {
  /** Those that ended though nobody wanted it, with their last words. */
  readonly losses: readonly string[];
  crawl(db: string, site: ManyHosts, more?: readonly string[]): Member;
  worker(db: string, name: string, env?: Record<string, string>): Member;
  /** Ends those that are still there, and waits for them. */
  dismiss(): Promise<void>;
}

const HOUR = 3_600_000;
const PATIENCE = 15_000;

/** Of a process whose clock is wrong from its first moment. */
export const clockOff = (hours: number): Record<string, string> => ({
  NODE_OPTIONS: `--import=${new URL("../faults/shift-clock.mjs", import.meta.url).href}`,
  CLOCK_JUMPS: JSON.stringify([[0, hours * HOUR]]),
});

/** `lease` in milliseconds: how long a silent worker keeps its hosts. */
export function hire(given: { readonly lease?: number; readonly maxConcurrent: number }): Crew {
  const members = new Set<Member>();
  const losses: string[] = [];
  const leases = given.lease === undefined ? {} : { NUTHATCH_LEASE: `${given.lease}ms` };
  const concurrency = ["--max-concurrent", String(given.maxConcurrent)];
  const join = (name: string, args: readonly string[], how: { env?: Record<string, string>; input?: string }): Member => {
    const { ended, kill, pid } = start(args, { ...how, env: { ...leases, ...how.env } });
    let [isAtWork, isDismissed] = [true, false];
    const member: Member = {
      pid,
      ended,
      get isAtWork() {
        return isAtWork;
      },
      kill: (signal) => {
        isDismissed ||= signal === "SIGINT" || signal === "SIGTERM" || signal === "SIGKILL";
        kill(signal);
      },
    };
    members.add(member);
    void ended.then(({ code, signal, stderr }) => {
      isAtWork = false;
      members.delete(member);
      if (!isDismissed && code !== 0) losses.push(`${name} ended with ${code ?? signal}: ${stderr.slice(-2000)}`);
    });
    return member;
  };
  // A list opens no private address.
  const everything = ["--max-depth", "100", "--max-pages", "1000000", "--allow-private", "127.66.0.0/16"];
  return {
    losses,
    crawl: (db, site, more = []) =>
      join("the crawl", ["crawl", "-", "--db", db, "--json", "-q", ...everything, ...concurrency, ...more], {
        input: site.seeds.join("\n"),
      }),
    worker: (db, name, env = {}) => join(name, ["worker", "--db", db, "--name", name, ...concurrency], { env }),
    dismiss: async () => {
      const all = [...members];
      for (const signal of ["SIGCONT", "SIGTERM"] as const) for (const member of all) member.kill(signal);
      const stuck = setTimeout(() => {
        for (const member of members) member.kill("SIGKILL");
      }, PATIENCE);
      await Promise.all(all.map(({ ended }) => ended));
      clearTimeout(stuck);
    },
  };
}

/** Waits until the site was asked so many times in all. */
export async function untilAsked(site: ManyHosts, requests: number, crew: Crew): Promise<void> {
  while ((await site.count()) < requests) {
    if (crew.losses.length > 0) throw new Error(crew.losses.join("\n"));
    await sleep(20);
  }
}

/** Waits until the only run of a database has ended, whoever leads it by then; answers how. */
export async function untilEnded(database: Database, name: string, crew: Crew): Promise<string> {
  for (;;) {
    const [run] = await database.query(name, "SELECT status FROM run");
    if (run !== undefined && run.status !== "running") return String(run.status);
    if (crew.losses.length > 0) throw new Error(crew.losses.join("\n"));
    await sleep(100);
  }
}
