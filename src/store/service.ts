/** A run that a server is working on, or was when it ended. */
export interface ServerRun {
  readonly id: number;
  readonly isPaused: boolean;
  /** The run is being discarded. */
  readonly isCancelled: boolean;
  /** The server works on it in another file, of which this one is a copy. */
  readonly isElsewhere: boolean;
}

export const jobKinds = ["enhancement", "export", "scrape", "map", "context", "look"] as const;
export type JobKind = (typeof jobKinds)[number];
export type JobStatus = "queued" | "running" | "finished" | "failed";

/** A task that takes longer than a request. */
export interface Job {
  readonly id: number;
  readonly uid: string;
  readonly kind: JobKind;
  readonly status: JobStatus;
  readonly input: Readonly<Record<string, unknown>>;
  /** Its progress and result. */
  readonly result: Readonly<Record<string, unknown>>;
  readonly madeAt: number;
  readonly endedAt: number | undefined;
}

export interface JobUpdate {
  readonly status: JobStatus;
  readonly result: Readonly<Record<string, unknown>>;
  readonly endedAt?: number | undefined;
}

/** State of a server, stored so that the next one can continue if it is killed. */
export interface ServiceStore {
  serverRuns(): Promise<readonly ServerRun[]>;
  saveServerRun(run: Omit<ServerRun, "isElsewhere">): Promise<void>;
  removeServerRun(runId: number): Promise<void>;
  /** The URL of the server of this data file, if one is running. */
  server(): Promise<string | undefined>;
  /** Registers the URL of the server process, or removes it if undefined. */
  setServerUrl(url: string | undefined, pid: number): Promise<void>;

  addJob(kind: JobKind, input: Readonly<Record<string, unknown>>, at: number): Promise<Job>;
  job(id: number): Promise<Job | undefined>;
  updateJob(id: number, update: JobUpdate): Promise<void>;
  /** Unfinished jobs, oldest first. */
  unfinishedJobs(): Promise<readonly Job[]>;
  /** Latest first. */
  jobs(kind: JobKind, how: { readonly before?: number | undefined; readonly limit: number }): Promise<readonly Job[]>;
  removeJob(id: number): Promise<void>;

  /** The progress of a run over time, as plain JSON. */
  samples(runId: number): Promise<unknown>;
  saveSamples(runId: number, samples: unknown): Promise<void>;
  /** Changes the options of a run. */
  saveOptions(runId: number, options: Readonly<Record<string, unknown>>): Promise<void>;
  /** Page ids by their permanent uids. */
  pageIds(uids: readonly string[]): Promise<ReadonlyMap<string, number>>;
}
