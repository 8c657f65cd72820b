import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { startNameServer } from "../faults/name-server.ts";

/** What a name of the town is there to show. */
export const kinds = ["private", "rebinding", "credentials"] as const;
export type Kind = (typeof kinds)[number];

const WEB = "127.9.1.1";
const CANARY = "127.9.0.9";

export interface Town {
  readonly resolver: string;
  /** The URL of a name that nobody else has. */
  url(kind: Kind, whose: string): string;
  /** From now on names of the rebinding kind lead to the canary, and everybody answers at once. */
  flip(whose: string): void;
  /** Whether somebody has set out to each of the three, so that the run is stored and under way. */
  untilAsked(whose: string): Promise<void>;
  /** How often the canary was reached by this name; for credentials, how often the public server was sent any. */
  hits(kind: Kind, whose: string): number;
  close(): Promise<void>;
}

/**
 * A public server, a private one (the canary), and a name server. Until a name is flipped, private names and those for credentials have no answer yet, and rebinding names lead
 * to the public server, which does not answer either: so whoever begins a run there is still at it when it is killed. `isOpen`: they answer from the beginning.
 */
export async function startTown(isOpen: (whose: string) => boolean): Promise<Town> {
  const flipped = new Set<string>();
  const [reached, sent, held] = [new Map<string, number>(), new Map<string, number>(), new Set<string>()];
  const count = (of: Map<string, number>, name: string) => of.set(name, (of.get(name) ?? 0) + 1);
  const answer = (response: ServerResponse, path: string) =>
    path === "/robots.txt"
      ? response.writeHead(404).end()
      : response.writeHead(200, { "content-type": "text/html" }).end("<title>Page</title><p>Some words that are long enough for a page.");
  const nameOf = (request: IncomingMessage) => (request.headers.host ?? "").replace(/:\d+$/, "");
  const whoseIs = (name: string) => name.split(".")[1] ?? "";
  const web = createServer((request, response) => {
    const name = nameOf(request);
    if (request.headers["x-secret"] !== undefined || request.headers.authorization !== undefined) count(sent, name);
    held.add(name);
    if (isOpen(whoseIs(name)) || flipped.has(whoseIs(name))) answer(response, request.url ?? "");
  });
  const canary = createServer((request, response) => {
    count(reached, nameOf(request));
    answer(response, request.url ?? "");
  });
  await new Promise<void>((resolve) => web.listen(0, WEB, resolve));
  const { port } = web.address() as AddressInfo;
  await new Promise<void>((resolve) => canary.listen(port, CANARY, resolve));
  const asked = new Set<string>();
  const names = await startNameServer("127.0.0.1", (name) => {
    asked.add(name);
    const [kind, whose = ""] = name.split(".");
    const isThere = isOpen(whose) || flipped.has(whose);
    if (kind === "rebinding") return [flipped.has(whose) ? CANARY : WEB];
    if (!isThere) return "silence";
    return [kind === "private" ? CANARY : WEB];
  });
  return {
    resolver: names.place,
    url: (kind, whose) => `http://${kind}.${whose}.test:${port}/`,
    flip: (whose) => void flipped.add(whose),
    async untilAsked(whose) {
      const isAsked = () =>
        asked.has(`private.${whose}.test`) && asked.has(`credentials.${whose}.test`) && held.has(`rebinding.${whose}.test`);
      for (let waited = 0; !isAsked(); waited += 20) {
        if (waited > 30_000) throw new Error(`nobody asks for ${whose}`);
        await sleep(20);
      }
    },
    hits: (kind, whose) => (kind === "credentials" ? sent : reached).get(`${kind}.${whose}.test`) ?? 0,
    async close() {
      names.close();
      for (const server of [web, canary]) {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      }
    },
  };
}
