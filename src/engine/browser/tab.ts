import type { Picture } from "./engine.ts";
import type { RenderJob } from "./exit/render-job.ts";
import type { PageFunction } from "./inside/index.ts";

/** A browser tab. Engines differ in how requests are intercepted and how programs are run inside the page. */
export interface Tab {
  /** Resolves when the document begins to display. Rejects if it does not. */
  navigate(job: RenderJob): Promise<void>;
  /**
   * Runs one of our programs in an isolated world if the engine has one: the same document, but separate objects, so
   * that changes by the page's scripts do not affect it.
   */
  run(functionName: PageFunction, argument?: unknown): Promise<string>;
  takePicture(height: number): Promise<Picture>;
  /** Clears the page, so that another can be shown. */
  clear(): Promise<void>;
  close(): Promise<void>;
}

/** The viewport for all pages. */
export const VIEWPORT = { width: 1280, height: 800 } as const;

/** Milliseconds after which a page that does not respond is considered hung. */
const HANG_TIMEOUT_MS = 10_000;

export class HungError extends Error {}

/** Rejects with a HungError if the work takes longer than on any ordinary page. */
export async function withHangTimeout<T>(work: Promise<T>, timeoutMs = HANG_TIMEOUT_MS): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new HungError(`it did not answer for ${timeoutMs / 1000} s`)), timeoutMs);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
