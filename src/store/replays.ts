/** Responses to requests with an Idempotency-Key, kept for a day. */
export interface ReplayShelf {
  find(key: string, since: number): Promise<Replay | undefined>;
  /** Also removes responses older than `since`. */
  keep(key: string, replay: Replay, at: number, since: number): Promise<void>;
}

export interface Replay {
  /** A hash of the request. */
  readonly asked: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}
