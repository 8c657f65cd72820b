import type { Picture } from "./engine.ts";
import type { Errand } from "./errand.ts";
import type { Inside } from "./inside/index.ts";

/** A page of a browser as we drive it. Engines differ in how requests are stopped and how one looks inside. */
export interface Tab {
  /** Resolves when the document has begun to show. Rejects when it does not. */
  go(errand: Errand): Promise<void>;
  /** Runs one of our programs beside the page's own: on the same document, but with other objects, so that nothing the page does to its own reaches it. */
  run(part: Inside, given?: unknown): Promise<string>;
  takePicture(height: number): Promise<Picture>;
  /** Forgets the page, so that another can be shown. */
  clear(): Promise<void>;
  close(): Promise<void>;
}

/** Every page is shown at this size. */
export const VIEWPORT = { width: 1280, height: 800 } as const;

/** A page that does not answer has been at one thing for so long. */
const PATIENCE = 10_000;

export class Hung extends Error {}

/** Rejects when it takes longer than with any honest page. */
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
