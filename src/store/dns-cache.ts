/** DNS cache shared by worker processes: the addresses that a name server returned, or none, with a lifetime in milliseconds. */
export interface DnsCache {
  /** Undefined if nothing is cached, or the database does not answer. */
  find(name: string, server: string): Promise<CachedAddresses | undefined>;
  tell(name: string, server: string, entry: CachedAddresses): Promise<void>;
}

export interface CachedAddresses {
  readonly addresses: readonly string[];
  readonly life: number;
}
