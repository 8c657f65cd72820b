import { type App, openApp, type World } from "../app.ts";
import { isOfProgram } from "../seed.ts";
import { holdsData } from "../store/index.ts";

export interface PassingPlace {
  /** A data file whose turns, robots.txt and stored pages are used. It is not created. */
  readonly db?: string | undefined;
  readonly world?: World | undefined;
}

const REAL = {};
const inMemory = new WeakMap<object, Promise<App>>();

/**
 * The app for one library call. Calls without a data file share one in memory for the life of the process, so that ten at once keep the
 * pace of a host.
 */
export async function openPassingApp({ db, world }: PassingPlace): Promise<AsyncDisposable & { readonly app: App }> {
  if (db !== undefined && (await holdsData(db))) {
    const app = await openApp({ db, world, mayBeSent: isOfProgram });
    return { app, [Symbol.asyncDispose]: () => app.close() };
  }
  const shared = inMemory.get(world ?? REAL) ?? openApp({ db: ":memory:", world, mayBeSent: isOfProgram });
  inMemory.set(world ?? REAL, shared);
  return { app: await shared, [Symbol.asyncDispose]: async () => undefined };
}

export async function withPassingApp<T>(place: PassingPlace, look: (app: App) => Promise<T>): Promise<T> {
  await using passing = await openPassingApp(place);
  return await look(passing.app);
}
