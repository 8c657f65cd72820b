/** A request received by the exit. */
export interface ProxiedRequest {
  /** Unique for this request. */
  readonly id: string;
  readonly url: string;
  /** The value of a header by its lowercase name; the first one if it is repeated. */
  header(name: string): string | undefined;
}

/**
 * Inspects the traffic of an engine whose requests cannot be intercepted one by one. TLS then ends at the exit and is
 * encrypted again from there: the browser trusts the exit, and the exit uses our trusted certificates.
 */
export interface Inspector {
  decide(proxied: ProxiedRequest): Decision;
  /** The header lines to forward (names and values alternating); undefined to suppress the response. */
  onResponse(proxied: ProxiedRequest, status: number, rawHeaders: readonly string[]): readonly string[] | undefined;
  /** A forwarded part of the body. */
  onData(proxied: ProxiedRequest, chunk: Uint8Array): void;
  /** Called however the request ended. */
  onEnd(proxied: ProxiedRequest, isWhole: boolean): void;
}

export type Decision =
  /** Forward it with these additional header lines. */
  | { readonly kind: "go"; readonly more: readonly string[] }
  /** Answer with this response instead of forwarding. */
  | { readonly kind: "give"; readonly status: number; readonly headers: readonly string[]; readonly body: Uint8Array }
  | { readonly kind: "stop" };
