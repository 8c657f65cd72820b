/** What an API key may do. Only the hash of a key is stored. */
export type KeyScope = "read" | "write" | "admin";

export interface ApiKey {
  readonly id: number;
  readonly name: string;
  readonly scope: KeyScope;
  readonly madeAt: number;
  readonly usedAt: number | undefined;
}

export interface KeyStore {
  add(key: { readonly name: string; readonly hash: string; readonly scope: KeyScope; readonly at: number }): Promise<ApiKey>;
  list(): Promise<readonly ApiKey[]>;
  find(hash: string): Promise<ApiKey | undefined>;
  markUsed(id: number, at: number): Promise<void>;
  /** Returns whether it existed. */
  remove(id: number): Promise<boolean>;
}
