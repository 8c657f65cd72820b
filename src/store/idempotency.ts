/** Responses to requests with an Idempotency-Key, kept for a day. */
export interface IdempotencyStore {
  find(key: string, since: number): Promise<SavedResponse | undefined>;
  /** Also removes responses older than `since`. */
  save(key: string, response: SavedResponse, at: number, since: number): Promise<void>;
}

export interface SavedResponse {
  /** A hash of the request. */
  readonly asked: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}
