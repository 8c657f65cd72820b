/** What processes at work tell each other of names: the addresses that a name server gave, or that there are none, for so many milliseconds. */
export interface NameShelf {
  /** Nothing where nothing is known, or the database does not answer. */
  find(name: string, server: string): Promise<KnownName | undefined>;
  tell(name: string, server: string, known: KnownName): Promise<void>;
}

export interface KnownName {
  readonly addresses: readonly string[];
  readonly life: number;
}
