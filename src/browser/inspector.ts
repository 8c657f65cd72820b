/** A request as it came to the exit. */
export interface Passing {
  readonly url: string;
  readonly method: string;
  /** Names in small letters; of a name that came more than once, the first. */
  header(name: string): string | undefined;
}

/** An answer that is at hand. */
export interface AtHand {
  readonly status: number;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  readonly body: Uint8Array;
}

/**
 * Looks at what passes the exit of an engine that cannot be asked request by request. What is encrypted ends at the exit then, and goes on encrypted from there:
 * the browser trusts the exit, and the exit trusts whom we trust.
 */
export interface Inspector {
  decide(passing: Passing): Decision;
  /** False: the answer is not handed on. */
  mayShow(passing: Passing, status: number, rawHeaders: readonly string[]): boolean;
  /** Bytes of a body that was handed on, and that it has ended. */
  heard(passing: Passing, bytes: number): void;
  ended(passing: Passing): void;
}

/** `more`: headers that go along, names and values in turn. */
export type Decision =
  | { readonly kind: "go"; readonly more: readonly string[] }
  | { readonly kind: "give"; readonly answer: AtHand }
  | { readonly kind: "stop" };
