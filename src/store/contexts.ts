/** A stored context without its content. */
export interface ContextInfo {
  readonly id: number;
  readonly uid: string;
  readonly siteId: number;
  /** The URL it starts from. */
  readonly url: string;
  /** The options it was made with, as JSON: one URL may have several contexts. */
  readonly options: string;
  readonly madeAt: number;
}

export interface StoredContext extends ContextInfo {
  readonly pack: Uint8Array;
}

/** Stored contexts: part of every store. */
export interface ContextStore {
  /** Replaces the context of the same URL and options, and keeps its id. */
  save(context: Omit<StoredContext, "id" | "uid">): Promise<ContextInfo>;
  find(url: string, options: string): Promise<StoredContext | undefined>;
  get(id: number): Promise<StoredContext | undefined>;
  /** Latest first. */
  list(): Promise<readonly ContextInfo[]>;
  /** Returns whether it existed. */
  remove(id: number): Promise<boolean>;
}
