import { existsSync } from "node:fs";
import { type App, openApp, type World } from "../app.ts";

export interface PassingPlace {
  /** A data file whose turns, robots.txt and stored pages are used. None is made. */
  readonly db?: string | undefined;
  readonly world?: World | undefined;
}

const REAL = {};
const inMemory = new WeakMap<object, Promise<App>>();

/** Where a call of the library takes its turns. Calls without a data file share theirs for as long as the process lives: ten at once are asked in turn. */
export async function withPassingApp<T>({ db, world }: PassingPlace, look: (app: App) => Promise<T>): Promise<T> {
  if (db !== undefined && existsSync(db)) {
    const app = await openApp({ db, world });
    return look(app).finally(() => app.close());
  }
  const shared = inMemory.get(world ?? REAL) ?? openApp({ db: ":memory:", world });
  inMemory.set(world ?? REAL, shared);
  return look(await shared);
}
