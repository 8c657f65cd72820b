import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { Unreachable, type Way } from "../fetch/index.ts";

/** A browser's only way out: a proxy on loopback that knows which places are open and dials through the address guard. */
export interface Exit {
  /** As browsers want it: `http://127.0.0.1:port`. */
  readonly url: string;
  /** Opens a place (`host:port`) until it is given back. */
  open(place: string): () => void;
  /** Why a place could not be reached when it was last tried. */
  troubleAt(place: string): Unreachable | undefined;
  close(): Promise<void>;
}

/** A redirect goes out before we hear of it: so long it waits for somebody to let it. */
const PATIENCE = 300;

export async function openExit(way: Way): Promise<Exit> {
  const opened = new Map<string, number>();
  const sockets = new Set<Socket>();
  const troubles = new Map<string, Unreachable>();
  const reach = async (place: { hostname: string; port: number; isSecure: boolean }) => {
    const name = `${place.hostname}:${place.port}`;
    troubles.delete(name);
    try {
      return keep(await way(place));
    } catch (error) {
      if (error instanceof Unreachable && opened.has(name)) troubles.set(name, error);
      throw error;
    }
  };
  const keep = <T extends Socket>(socket: T): T => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    // Whoever is at either end is told by the close.
    socket.on("error", () => socket.destroy());
    return socket;
  };
  const isOpen = async (place: string) => {
    if (!opened.has(place)) await new Promise((resolve) => setTimeout(resolve, PATIENCE));
    return opened.has(place);
  };

  const tunnel = async (asked: IncomingMessage, client: Socket) => {
    keep(client);
    const place = placeIn(asked.url ?? "");
    if (!place || !(await isOpen(`${place.hostname}:${place.port}`))) return void client.end("HTTP/1.1 403 Forbidden\r\n\r\n");
    try {
      const socket = await reach({ ...place, isSecure: true });
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      client.pipe(socket).pipe(client);
      client.once("close", () => socket.destroy());
      socket.once("close", () => client.destroy());
    } catch (error) {
      client.end(`HTTP/1.1 ${error instanceof Unreachable && error.reason === "private-network" ? 403 : 502} No way\r\n\r\n`);
    }
  };

  const pass = async (asked: IncomingMessage, answer: ServerResponse) => {
    const url = URL.canParse(asked.url ?? "") ? new URL(asked.url!) : undefined;
    const refuse = (status: number) => answer.writeHead(status, { connection: "close" }).end();
    if (url?.protocol !== "http:" || asked.method !== "GET") return refuse(403);
    const place = { hostname: url.hostname, port: Number(url.port) || 80 };
    if (!(await isOpen(`${place.hostname}:${place.port}`))) return refuse(403);
    try {
      const socket = await reach({ ...place, isSecure: false });
      const { "proxy-connection": _, ...headers } = asked.headers;
      const onward = request({
        createConnection: () => socket,
        path: url.pathname + url.search,
        headers: { ...headers, connection: "close" },
      });
      onward.on("response", (got) => {
        answer.writeHead(
          got.statusCode ?? 502,
          got.statusMessage,
          got.rawHeaders.flatMap((text) => [text]),
        );
        got.pipe(answer);
      });
      onward.on("error", () => (answer.headersSent ? answer.destroy() : refuse(502)));
      answer.once("close", () => onward.destroy());
      onward.end();
    } catch (error) {
      refuse(error instanceof Unreachable && error.reason === "private-network" ? 403 : 502);
    }
  };

  const server = createServer((asked, answer) => void pass(asked, answer));
  server.on("connect", (asked, client: Socket) => void tunnel(asked, client));
  server.on("connection", keep);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    open(place) {
      opened.set(place, (opened.get(place) ?? 0) + 1);
      return () => {
        const left = (opened.get(place) ?? 1) - 1;
        if (left === 0) {
          opened.delete(place);
          troubles.delete(place);
        } else opened.set(place, left);
      };
    },
    troubleAt: (place) => troubles.get(place),
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function placeIn(authority: string): { hostname: string; port: number } | undefined {
  if (!URL.canParse(`http://${authority}/`)) return undefined;
  const { hostname, port } = new URL(`http://${authority}/`);
  return { hostname, port: Number(port) || 443 };
}
