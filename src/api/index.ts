/**
 * The server: REST under /api/v1, live events, and the dashboard. The main thread only handles HTTP: threads read and write the data file
 * (`desk-worker.ts`), a separate process crawls (`engine-process.ts`), and routes are data (`route.ts`) shared by all of them.
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
  /** 0: any free port. */
  readonly port: number;
  /** True if the data file holds at least one key. */
  readonly hasKeys: boolean;
  /** `--no-auth`: no key is required. */
  readonly noAuth: boolean;
  /** Host names this server accepts, besides IP addresses. */
  readonly names: readonly string[];
  /** Origins allowed to send requests (CORS). */
  readonly origins: readonly string[];
  readonly withDashboard: boolean;
  readonly engine: Readonly<Record<string, unknown>>;
  /** Milliseconds the crawling process may be blocked before it is killed. Default one minute. */
  readonly patience?: number;
  /** Logs problems the server has recovered from. */
  readonly log: (line: string) => void;
}

export interface Server {
  readonly url: string;
  /** Ends runs so that the next server resumes them. */
  close(): Promise<void>;
}

const READERS = 2;
/** Longer than an unreachable database blocks the process, which is up to 20 seconds at a time. */
const PATIENCE = 60_000;
/** Requests per minute and address. A client in an endless loop exceeds it; 200 a second for a dashboard and its tools do not. */
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
