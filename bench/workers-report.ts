// What more workers bring, as a part of docs/benchmarks.md that is written by itself.
import { busyNote, machine, recordLast } from "./report.ts";

export interface Round {
  readonly workers: number;
  readonly pagesPerSecond: number;
  /** Processor seconds for 1,000 pages, of all workers and of PostgreSQL. */
  readonly crewCpu: number;
  readonly databaseCpu: number;
  readonly isOnce: boolean;
}

export interface WorkersResult {
  readonly pages: number;
  readonly hosts: number;
  readonly latency: number;
  readonly inFlight: number;
  readonly rounds: number;
  readonly load: number;
  readonly rows: readonly Round[];
}

/** Of each figure the middle one. */
export function middle(rounds: readonly Round[]): Round {
  const of = (read: (round: Round) => number) => rounds.map(read).sort((a, b) => a - b)[Math.floor(rounds.length / 2)]!;
  return {
    workers: rounds[0]!.workers,
    pagesPerSecond: of((round) => round.pagesPerSecond),
    crewCpu: of((round) => round.crewCpu),
    databaseCpu: of((round) => round.databaseCpu),
    isOnce: rounds.every((round) => round.isOnce),
  };
}

export function tableOfWorkers(rows: readonly Round[]): string {
  const alone = rows[0]!.pagesPerSecond / rows[0]!.workers;
  const cells = rows.map((row) => [
    row.workers,
    row.pagesPerSecond.toFixed(0),
    (row.pagesPerSecond / alone).toFixed(2),
    (row.pagesPerSecond / alone / row.workers).toFixed(2),
    row.crewCpu.toFixed(2),
    row.databaseCpu.toFixed(2),
    row.isOnce ? "yes" : "no",
  ]);
  const header = ["workers", "pages/s", "times one", "of linear", "CPU s per 1,000 pages, workers", "PostgreSQL", "each page once"];
  return [header, ["--:", "--:", "--:", "--:", "--:", "--:", "---"], ...cells].map((row) => `| ${row.join(" | ")} |`).join("\n");
}

export function recordWorkers(result: WorkersResult): void {
  recordLast(`## Several workers, ${result.latency} ms away

${result.hosts} hosts of ${result.pages / result.hosts} pages, two connections to each at most, ${result.inFlight} requests in flight for each worker, over one PostgreSQL, which keeps what it commits, on the same machine as everything else.

${tableOfWorkers(result.rows)}

Measured on ${new Date().toISOString().slice(0, 10)}, ${result.rounds === 1 ? "one round" : `medians of ${result.rounds} rounds`}, with \`npm run bench:workers\`: ${machine()}.${busyNote(result.load)}
`);
}
