/** A pack of context as it was made last, without what is in it. */
export interface ContextMark {
  readonly id: number;
  readonly uid: string;
  readonly siteId: number;
  /** The address it begins with. */
  readonly url: string;
  /** What else it was made by, as JSON: the same address may have several. */
  readonly options: string;
  readonly madeAt: number;
}

export interface StoredContext extends ContextMark {
  readonly pack: Uint8Array;
}

/** Packs of context: part of every store. */
export interface ContextShelf {
  /** Takes the place of what was made of the same address by the same options, and keeps its number. */
  save(context: Omit<StoredContext, "id" | "uid">): Promise<ContextMark>;
  of(url: string, options: string): Promise<StoredContext | undefined>;
  get(id: number): Promise<StoredContext | undefined>;
  /** The latest first. */
  list(): Promise<readonly ContextMark[]>;
  /** Answers whether there was one. */
  remove(id: number): Promise<boolean>;
}
