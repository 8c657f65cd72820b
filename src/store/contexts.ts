/** A stored context without its content. */
export interface ContextMark {
  readonly id: number;
  readonly uid: string;
  readonly siteId: number;
  /** The URL it starts from. */
  readonly url: string;
  /** The options it was made with, as JSON: one URL may have several contexts. */
  readonly options: string;
  readonly madeAt: number;
}

export interface StoredContext extends ContextMark {
  readonly pack: Uint8Array;
}

/** Stored contexts: part of every store. */
export interface ContextShelf {
  /** Replaces the context of the same URL and options, and keeps its id. */
  save(context: Omit<StoredContext, "id" | "uid">): Promise<ContextMark>;
  of(url: string, options: string): Promise<StoredContext | undefined>;
  get(id: number): Promise<StoredContext | undefined>;
  /** Latest first. */
  list(): Promise<readonly ContextMark[]>;
  /** Returns whether it existed. */
  remove(id: number): Promise<boolean>;
}
