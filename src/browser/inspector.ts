/** A request as it came to the exit. */
export interface Passing {
  /** Of this one request. */
  readonly id: string;
  readonly url: string;
  /** By its name in small letters; of one that came more than once, the first. */
  header(name: string): string | undefined;
}

/**
 * Looks at what passes the exit of an engine that cannot be asked request by request. What is encrypted ends at the exit then, and goes on encrypted from there:
 * the browser trusts the exit, and the exit trusts whom we trust.
 */
export interface Inspector {
  decide(passing: Passing): Decision;
  /** The header lines it is handed on with (names and values in turn); undefined if it is not. */
  answered(passing: Passing, status: number, rawHeaders: readonly string[]): readonly string[] | undefined;
  /** A part of what was handed on. */
  heard(passing: Passing, part: Uint8Array): void;
  /** However it ended. */
  ended(passing: Passing, isWhole: boolean): void;
}

export type Decision =
  /** With header lines of ours. */
  | { readonly kind: "go"; readonly more: readonly string[] }
  /** The answer is at hand. */
  | { readonly kind: "give"; readonly status: number; readonly headers: readonly string[]; readonly body: Uint8Array }
  | { readonly kind: "stop" };
