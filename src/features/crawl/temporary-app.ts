import { isFromProgram } from "../../core/seed.ts";
import { type App, openApp, type World } from "../../engine/app.ts";
import { hasData } from "../../store/index.ts";

export interface TemporaryAppOptions {
  /** A data file whose turns, robots.txt and stored pages are used. It is not created. */
  readonly db?: string | undefined;
  readonly world?: World | undefined;
}

const REAL_WORLD = {};
const sharedApps = new WeakMap<object, Promise<App>>();

/**
 * The app for one library call. Calls without a data file share one in memory for the life of the process, so that ten at once keep the
 * pace of a host.
 */
export async function openTemporaryApp({ db, world }: TemporaryAppOptions): Promise<AsyncDisposable & { readonly app: App }> {
  if (db !== undefined && (await hasData(db))) {
    const app = await openApp({ db, world, mayBeSent: isFromProgram });
    return { app, [Symbol.asyncDispose]: () => app.close() };
  }
  const shared = sharedApps.get(world ?? REAL_WORLD) ?? openApp({ db: ":memory:", world, mayBeSent: isFromProgram });
  sharedApps.set(world ?? REAL_WORLD, shared);
  return { app: await shared, [Symbol.asyncDispose]: async () => undefined };
}

export async function withTemporaryApp<T>(options: TemporaryAppOptions, use: (app: App) => Promise<T>): Promise<T> {
  await using temporary = await openTemporaryApp(options);
  return await use(temporary.app);
}
