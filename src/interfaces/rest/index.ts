/**
 * The server: REST under /api/v1, live events, and the dashboard. The main thread only handles HTTP: threads read and write the data file
 * (`desk-worker.ts`), a separate process crawls (`engine-process.ts`), and routes are data (`route.ts`) shared by all of them.
 */
import { SetupError } from "../../engine/config/index.ts";
import { Access, isLoopback } from "./access.ts";
import { openBackends } from "./backends.ts";
import { openEvents } from "./events/open-events.ts";
import { openFront } from "./front.ts";
import { Metrics } from "./metrics.ts";
import { RateLimiter } from "./rate-limiter.ts";
import type { Scope } from "./route.ts";

export { problems } from "./problem.ts";
export { routes } from "./routes/index.ts";
export { openServerLog } from "./server-log.ts";
export { openApi } from "./shapes/openapi.ts";

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
const HANG_TIMEOUT_MS = 60_000;
/** Requests per minute and address. A client in an endless loop exceeds it; 200 a second for a dashboard and its tools do not. */
const LOCAL_PER_MINUTE = 30_000;
const REMOTE_PER_MINUTE = 3000;

export async function serve(setup: ServeSetup): Promise<Server> {
  const isLocal = isLoopback(setup.host);
  if (!isLocal && !setup.hasKeys && !setup.noAuth)
    throw new SetupError(
      `${setup.host} can be reached by others, and there is no key that keeps them out`,
      "nuthatch keys create makes one; --no-auth says aloud that everybody may do everything",
    );
  const metrics = new Metrics();
  const backends = openBackends({
    db: setup.db,
    readers: READERS,
    engine: setup.engine,
    hangTimeout: setup.patience ?? HANG_TIMEOUT_MS,
    onEvents: (batch) => {
      for (const event of batch) metrics.event(event);
      events.publish(batch);
    },
    onEngine: () => void connectEngine().catch((cause: unknown) => setup.log(String(cause))),
    onTrouble: setup.log,
  });
  let address: string | undefined;
  const events = openEvents(backends);
  metrics.listeners = () => events.listeners;
  const connectEngine = async () => {
    await events.resubscribe();
    if (address !== undefined) await backends.askInternal("engine", "answersAt", address);
  };
  const now = () => performance.now();
  const access = new Access({
    isOpen: setup.noAuth || (isLocal && !setup.hasKeys),
    find: async (hash) => ((await backends.askInternal("reader", "findKey", hash)) as Scope | null) ?? undefined,
    now,
  });
  const front = openFront({
    backends,
    events,
    access,
    browser: { names: setup.names, origins: setup.origins },
    rateLimiter: new RateLimiter({ perMinute: isLocal ? LOCAL_PER_MINUTE : REMOTE_PER_MINUTE, now }),
    metrics,
    withDashboard: setup.withDashboard,
    log: setup.log,
  });
  const url = await front.listen({ host: setup.host, port: setup.port }).catch((cause: NodeJS.ErrnoException) => {
    void backends.close();
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
  await connectEngine().catch(async (cause: unknown) => {
    await front.close();
    await backends.close();
    throw cause;
  });
  return {
    url,
    async close() {
      await front.close();
      await backends.close();
    },
  };
}
