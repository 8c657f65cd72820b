/**
 * The server: REST under /api/v1, live events, and the dashboard. Whoever listens to the network does nothing else: reading and writing the data file is
 * done by threads (`desk-worker.ts`), crawling by a process of its own (`engine-process.ts`), and routes are data (`route.ts`) that all of them share.
 */
import { SetupError } from "../config/index.ts";
import { Access, isLoopback } from "./access.ts";
import { eventsOf } from "./events-of.ts";
import { openFront } from "./front.ts";
import { Metrics } from "./metrics.ts";
import { Pace } from "./pace.ts";
import { openPlaces } from "./places.ts";
import type { Scope } from "./route.ts";

export { openApi } from "./openapi.ts";
export { problems } from "./problem.ts";
export { routes } from "./routes/index.ts";
export { openServerLog } from "./server-log.ts";

export interface ServeSetup {
  readonly db: string;
  readonly host: string;
  /** 0: any that is free. */
  readonly port: number;
  /** Whether the data file holds a key. */
  readonly hasKeys: boolean;
  /** Somebody said that nobody needs one. */
  readonly noAuth: boolean;
  /** Names by which we may be called, besides addresses. */
  readonly names: readonly string[];
  /** Origins whose pages may ask. */
  readonly origins: readonly string[];
  readonly withDashboard: boolean;
  readonly engine: Readonly<Record<string, unknown>>;
  /** How long the crawling process may stand still, in milliseconds of its own life, until it is ended. Default a minute. */
  readonly patience?: number;
  /** Told what goes wrong and is mended. */
  readonly log: (line: string) => void;
}

export interface Server {
  readonly url: string;
  /** Ends runs so that the next server carries on with them. */
  close(): Promise<void>;
}

const READERS = 2;
/** A database that is away makes it stand still for 20 seconds at a time. */
const PATIENCE = 60_000;
/** A person's loop that has gone wild asks more often; 200 a second for a dashboard and its tools do not. */
const PER_MINUTE = 30_000;
const PER_MINUTE_OUTSIDE = 3000;

export async function serve(setup: ServeSetup): Promise<Server> {
  const isInside = isLoopback(setup.host);
  if (!isInside && !setup.hasKeys && !setup.noAuth)
    throw new SetupError(
      `${setup.host} can be reached by others, and there is no key that keeps them out`,
      "nuthatch keys create makes one; --no-auth says aloud that everybody may do everything",
    );
  const metrics = new Metrics();
  const places = openPlaces({
    db: setup.db,
    readers: READERS,
    engine: setup.engine,
    patience: setup.patience ?? PATIENCE,
    onEvents: (heap) => {
      for (const event of heap) metrics.event(event);
      events.hear(heap);
    },
    onEngine: () => void beginEngine().catch((cause: unknown) => setup.log(String(cause))),
    onTrouble: setup.log,
  });
  let address: string | undefined;
  const events = eventsOf(places);
  metrics.listeners = () => events.listeners;
  const beginEngine = async () => {
    await events.listenAgain();
    if (address !== undefined) await places.askSelf("engine", "answersAt", address);
  };
  const now = () => performance.now();
  const access = new Access({
    isOpen: setup.noAuth || (isInside && !setup.hasKeys),
    find: async (hash) => ((await places.askSelf("reader", "findKey", hash)) as Scope | null) ?? undefined,
    now,
  });
  const front = openFront({
    places,
    events,
    access,
    browser: { names: setup.names, origins: setup.origins },
    pace: new Pace({ perMinute: isInside ? PER_MINUTE : PER_MINUTE_OUTSIDE, now }),
    metrics,
    withDashboard: setup.withDashboard,
    log: setup.log,
  });
  const url = await front.listen({ host: setup.host, port: setup.port }).catch((cause: NodeJS.ErrnoException) => {
    void places.close();
    if (cause.code === "EADDRINUSE")
      throw new SetupError(
        `port ${setup.port} of ${setup.host} is taken`,
        "choose another: --port 8001, or --port 0 for any that is free",
        { cause },
      );
    throw new SetupError(
      `cannot listen on ${setup.host}:${setup.port}: ${cause.message}`,
      "choose another address with --host and --port",
      { cause },
    );
  });
  address = url;
  await beginEngine().catch(async (cause: unknown) => {
    await front.close();
    await places.close();
    throw cause;
  });
  return {
    url,
    async close() {
      await front.close();
      await places.close();
    },
  };
}
