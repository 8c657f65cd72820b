/** A run that a server has at work, or would have if it had not ended. */
export interface HeldRun {
  readonly id: number;
  readonly isPaused: boolean;
  /** It is being thrown away. */
  readonly isCancelled: boolean;
  /** The server has it at work in another file, of which this one is a copy. */
  readonly isElsewhere: boolean;
}

export const jobKinds = ["enhancement", "export", "scrape", "map", "context", "look"] as const;
export type JobKind = (typeof jobKinds)[number];
export type JobStatus = "queued" | "running" | "finished" | "failed";

/** What takes longer than a request. */
export interface Job {
  readonly id: number;
  readonly uid: string;
  readonly kind: JobKind;
  readonly status: JobStatus;
  readonly input: Readonly<Record<string, unknown>>;
  /** How far it is, and what came of it. */
  readonly result: Readonly<Record<string, unknown>>;
  readonly madeAt: number;
  readonly endedAt: number | undefined;
}

export interface JobNews {
  readonly status: JobStatus;
  readonly result: Readonly<Record<string, unknown>>;
  readonly endedAt?: number | undefined;
}

/** What a server keeps for the next one, should it be killed. */
export interface ServiceShelf {
  held(): Promise<readonly HeldRun[]>;
  hold(run: Omit<HeldRun, "isElsewhere">): Promise<void>;
  letGo(runId: number): Promise<void>;
  /** Where the server of this data file listens, if one is at work. */
  server(): Promise<string | undefined>;
  /** The process of this number answers at this address from now on, or no longer. */
  answersAt(url: string | undefined, pid: number): Promise<void>;

  addJob(kind: JobKind, input: Readonly<Record<string, unknown>>, at: number): Promise<Job>;
  job(id: number): Promise<Job | undefined>;
  noteJob(id: number, news: JobNews): Promise<void>;
  /** Those that have not ended, the oldest first. */
  openJobs(): Promise<readonly Job[]>;
  /** The latest first. */
  jobs(kind: JobKind, how: { readonly before?: number | undefined; readonly limit: number }): Promise<readonly Job[]>;
  removeJob(id: number): Promise<void>;

  /** How a run went over time, as plain JSON. */
  samples(runId: number): Promise<unknown>;
  keepSamples(runId: number, samples: unknown): Promise<void>;
  /** Other options hold for a run from now on. */
  keepOptions(runId: number, options: Readonly<Record<string, unknown>>): Promise<void>;
  /** The numbers of pages by the ids that they keep for ever. */
  pageIds(uids: readonly string[]): Promise<ReadonlyMap<string, number>>;
}
