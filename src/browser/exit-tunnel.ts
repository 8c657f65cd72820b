import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { Unreachable, type Way } from "../fetch/index.ts";
import type { Places } from "./open-places.ts";

/** What browsers allow themselves for one place, and what all places together get. */
const PER_PLACE = 6;
const IN_ALL = 64;
const MAX_BYTES = 256 * 1024 ** 2;

export interface TunnelSetup {
  readonly reach: Way;
  readonly places: Places;
}

/** What is encrypted passes as it is, once its place is open; there is nothing more to see. */
export function openTunnel({ reach, places }: TunnelSetup) {
  const through = new Map<string, number>();
  let inAll = 0;
  return async (asked: IncomingMessage, client: Socket, head: Buffer): Promise<void> => {
    const refuse = (status: number) => void client.end(`HTTP/1.1 ${status} No way\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
    const place = placeIn(asked.url ?? "");
    if (place === undefined) return refuse(403);
    const name = `${place.hostname}:${place.port}`;
    if (!(await places.isOpen(name))) return refuse(403);
    if (client.destroyed) return;
    const others = through.get(name) ?? 0;
    if (others >= PER_PLACE || inAll >= IN_ALL) return refuse(503);
    through.set(name, others + 1);
    inAll += 1;
    client.once("close", () => {
      const left = through.get(name)! - 1;
      if (left === 0) through.delete(name);
      else through.set(name, left);
      inAll -= 1;
    });
    try {
      const socket = await reach({ ...place, isSecure: true });
      client.once("close", () => socket.destroy());
      socket.once("close", () => client.destroy());
      if (client.destroyed) return void socket.destroy();
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
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
