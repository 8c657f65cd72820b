import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { type Connector, UnreachableError } from "../../fetch/index.ts";
import { MAX_CONNECTIONS, MAX_PER_HOST } from "./exit-agents.ts";
import type { OpenHosts } from "./open-hosts.ts";

const MAX_BYTES = 256 * 1024 ** 2;
const ESTABLISHED = "HTTP/1.1 200 Connection established\r\n\r\n";

export interface TunnelSetup {
  readonly connector: Connector;
  readonly openHosts: OpenHosts;
  /** If set, TLS ends at the exit and the requests inside are inspected. */
  readonly terminateTls: ((client: Socket, origin: string) => void) | undefined;
}

/** Tunnels TLS unchanged once its host and port are open: nothing more of it can be inspected. */
export function openTunnel({ connector, openHosts, terminateTls }: TunnelSetup) {
  const connectionCounts = new Map<string, number>();
  let connectionCount = 0;
  const changeCount = (name: string, change: 1 | -1) => {
    const newCount = (connectionCounts.get(name) ?? 0) + change;
    if (newCount === 0) connectionCounts.delete(name);
    else connectionCounts.set(name, newCount);
    connectionCount += change;
  };

  return async (request: IncomingMessage, client: Socket, head: Buffer): Promise<void> => {
    const refuse = (status: number) => void client.end(`HTTP/1.1 ${status} No way\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
    const destination = parseAuthority(request.url ?? "");
    if (destination === undefined) return refuse(403);
    const name = `${destination.hostname}:${destination.port}`;
    if (terminateTls) {
      client.write(ESTABLISHED);
      if (head.length > 0) client.unshift(head);
      return terminateTls(client, `https://${name}`);
    }
    if (!(await openHosts.isOpen(name))) return refuse(403);
    if (client.destroyed) return;
    if ((connectionCounts.get(name) ?? 0) >= MAX_PER_HOST || connectionCount >= MAX_CONNECTIONS) return refuse(503);
    changeCount(name, 1);
    client.once("close", () => changeCount(name, -1));
    try {
      const socket = await connector({ ...destination, isSecure: true });
      client.once("close", () => socket.destroy());
      socket.once("close", () => client.destroy());
      if (client.destroyed) return void socket.destroy();
      client.write(ESTABLISHED);
      if (head.length > 0) socket.write(head);
      socket.on("data", () => socket.bytesRead > MAX_BYTES && socket.destroy());
      client.pipe(socket).pipe(client);
    } catch (error) {
      refuse(error instanceof UnreachableError && error.reason === "private-network" ? 403 : 502);
    }
  };
}

function parseAuthority(authority: string): { hostname: string; port: number } | undefined {
  if (!/^[^/?#@\\\s]+:\d{1,5}$/.test(authority)) return undefined;
  try {
    const { hostname, port } = new URL(`https://${authority}/`);
    return { hostname, port: Number(port) || 443 };
  } catch {
    return undefined;
  }
}
