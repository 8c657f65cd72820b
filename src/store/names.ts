/** DNS cache shared by worker processes: the addresses that a name server returned, or none, with a lifetime in milliseconds. */
export interface NameShelf {
  /** Undefined if nothing is cached, or the database does not answer. */
  find(name: string, server: string): Promise<KnownName | undefined>;
  tell(name: string, server: string, known: KnownName): Promise<void>;
}

export interface KnownName {
  readonly addresses: readonly string[];
  readonly life: number;
}
