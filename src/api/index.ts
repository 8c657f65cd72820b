/**
 * The server: REST under /api/v1, live events, and the dashboard. Whoever listens to the network does nothing else: reading and writing the data file is
 * done by threads (`desk-worker.ts`), crawling by a process of its own (`engine-process.ts`), and routes are data (`route.ts`) that all of them share.
 */
import { openFront } from "./front.ts";
import { openPlaces } from "./places.ts";

export { openApi } from "./openapi.ts";
export { routes } from "./routes/index.ts";

export interface ServeSetup {
  readonly db: string;
  readonly host: string;
  /** 0: any that is free. */
  readonly port: number;
  readonly engine: Readonly<Record<string, unknown>>;
  /** Told what goes wrong and is mended. */
  readonly log: (line: string) => void;
}

export interface Server {
  readonly url: string;
  /** Ends runs so that the next server carries on with them. */
  close(): Promise<void>;
}

const READERS = 2;

export async function serve({ db, host, port, engine, log }: ServeSetup): Promise<Server> {
  const places = openPlaces({ db, readers: READERS, engine, onEvent: () => undefined, onTrouble: log });
  const front = openFront({ places });
  const url = await front.listen({ host, port });
  return {
    url,
    async close() {
      await front.close();
      await places.close();
    },
  };
}
