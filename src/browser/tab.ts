import type { Picture } from "./engine.ts";
import type { Errand } from "./errand.ts";
import type { Inside } from "./inside/index.ts";

/** A browser tab. Engines differ in how requests are intercepted and how programs are run inside the page. */
export interface Tab {
  /** Resolves when the document begins to display. Rejects if it does not. */
  go(errand: Errand): Promise<void>;
  /**
   * Runs one of our programs in an isolated world if the engine has one: the same document, but separate objects, so
   * that changes by the page's scripts do not affect it.
   */
  run(part: Inside, given?: unknown): Promise<string>;
  takePicture(height: number): Promise<Picture>;
  /** Clears the page, so that another can be shown. */
  clear(): Promise<void>;
  close(): Promise<void>;
}

/** The viewport for all pages. */
export const VIEWPORT = { width: 1280, height: 800 } as const;

/** Milliseconds after which a page that does not respond is considered hung. */
const PATIENCE = 10_000;

export class Hung extends Error {}

/** Rejects with Hung if the work takes longer than on any ordinary page. */
export async function unlessHung<T>(work: Promise<T>, patience = PATIENCE): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Hung(`it did not answer for ${patience / 1000} s`)), patience);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
