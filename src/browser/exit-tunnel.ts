import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { Unreachable, type Way } from "../fetch/index.ts";
import { IN_ALL, PER_PLACE } from "./exit-agents.ts";
import type { Places } from "./open-places.ts";

const MAX_BYTES = 256 * 1024 ** 2;
const ESTABLISHED = "HTTP/1.1 200 Connection established\r\n\r\n";

export interface TunnelSetup {
  readonly reach: Way;
  readonly places: Places;
  /** If set, TLS ends at the exit and the requests inside are inspected. */
  readonly unwrap: ((client: Socket, origin: string) => void) | undefined;
}

/** Tunnels TLS unchanged once its host and port are open: nothing more of it can be inspected. */
export function openTunnel({ reach, places, unwrap }: TunnelSetup) {
  const through = new Map<string, number>();
  let inAll = 0;
  const count = (name: string, change: 1 | -1) => {
    const now = (through.get(name) ?? 0) + change;
    if (now === 0) through.delete(name);
    else through.set(name, now);
    inAll += change;
  };

  return async (asked: IncomingMessage, client: Socket, head: Buffer): Promise<void> => {
    const refuse = (status: number) => void client.end(`HTTP/1.1 ${status} No way\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
    const place = placeIn(asked.url ?? "");
    if (place === undefined) return refuse(403);
    const name = `${place.hostname}:${place.port}`;
    if (unwrap) {
      client.write(ESTABLISHED);
      if (head.length > 0) client.unshift(head);
      return unwrap(client, `https://${name}`);
    }
    if (!(await places.isOpen(name))) return refuse(403);
    if (client.destroyed) return;
    if ((through.get(name) ?? 0) >= PER_PLACE || inAll >= IN_ALL) return refuse(503);
    count(name, 1);
    client.once("close", () => count(name, -1));
    try {
      const socket = await reach({ ...place, isSecure: true });
      client.once("close", () => socket.destroy());
      socket.once("close", () => client.destroy());
      if (client.destroyed) return void socket.destroy();
      client.write(ESTABLISHED);
      if (head.length > 0) socket.write(head);
      socket.on("data", () => socket.bytesRead > MAX_BYTES && socket.destroy());
      client.pipe(socket).pipe(client);
    } catch (error) {
      refuse(error instanceof Unreachable && error.reason === "private-network" ? 403 : 502);
    }
  };
}

function placeIn(authority: string): { hostname: string; port: number } | undefined {
  if (!/^[^/?#@\\\s]+:\d{1,5}$/.test(authority)) return undefined;
  try {
    const { hostname, port } = new URL(`https://${authority}/`);
    return { hostname, port: Number(port) || 443 };
  } catch {
    return undefined;
  }
}
