/** What the front itself asks of the desks. No client can: these have no path. */
import type { Replay } from "../store/index.ts";
import type { Desk, Reply } from "./route.ts";

const DAY = 86_400_000;

export interface Internals {
  readonly ready: undefined;
  readonly findKey: string;
  readonly findReplay: string;
  readonly keepReplay: { readonly key: string; readonly replay: Replay };
}

type Work = { readonly [name in keyof Internals]: (desk: Desk, input: Internals[name]) => Promise<Reply> };

export const internals: Work = {
  ready: async ({ app }) => ({ data: { sites: (await app.store.sites()).length } }),
  findKey: async ({ app }, hash) => {
    const key = await app.store.keys.find(hash);
    return { data: key?.scope ?? null };
  },
  findReplay: async ({ app }, key) => ({ data: (await app.store.replays.find(key, app.world.clock.wall() - DAY)) ?? null }),
  keepReplay: async ({ app }, { key, replay }) => {
    const now = app.world.clock.wall();
    await app.store.replays.keep(key, replay, now, now - DAY);
    return { status: 204 };
  },
};
