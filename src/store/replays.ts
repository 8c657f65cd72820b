/** What was answered to requests that name themselves, for a day. */
export interface ReplayShelf {
  find(key: string, since: number): Promise<Replay | undefined>;
  /** Forgets what is older than `since` on the way. */
  keep(key: string, replay: Replay, at: number, since: number): Promise<void>;
}

export interface Replay {
  /** A hash of what was asked. */
  readonly asked: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}
