import { readFile } from "node:fs/promises";
import type { Socket } from "node:net";

/** Reads are repeated, because the kernel writes the table in pieces and may skip a row while others are added or removed. */
const MAX_READS = 5;

/**
 * Whether the peer of a loopback connection is our own user: the port is open to every user on the machine. Linux
 * exposes the owner of a socket; on systems that do not, every peer is accepted.
 */
export async function isOwnUser({ remotePort, localPort }: Pick<Socket, "remotePort" | "localPort">, read = readTables): Promise<boolean> {
  const ownUid = process.getuid?.();
  if (ownUid === undefined || process.platform !== "linux" || remotePort === undefined || localPort === undefined) return true;
  for (let attempt = 0; attempt < MAX_READS; attempt++) {
    const [tcp4, tcp6] = await read();
    if (tcp4 === undefined) return true;
    const owner = findOwner(tcp4, LOOPBACK_V4, remotePort, localPort) ?? findOwner(tcp6 ?? "", LOOPBACK_V6, remotePort, localPort);
    if (owner !== undefined) return owner === ownUid;
  }
  return false;
}

const readTables = (): Promise<(string | undefined)[]> =>
  Promise.all(["/proc/net/tcp", "/proc/net/tcp6"].map((path) => readFile(path, "latin1").catch(() => undefined)));

/** 127.0.0.1 in the kernel's notation. */
const LOOPBACK_V4 = "0100007F";
const LOOPBACK_V6 = `0000000000000000FFFF0000${LOOPBACK_V4}`;

export function findOwner(table: string, address: string, from: number, to: number): number | undefined {
  const port = (number: number) => number.toString(16).toUpperCase().padStart(4, "0");
  const at = table.indexOf(`: ${address}:${port(from)} ${address}:${port(to)} `);
  if (at < 0) return undefined;
  const uid = table
    .slice(at + 2, table.indexOf("\n", at))
    .trim()
    .split(/\s+/)[6];
  return uid === undefined ? undefined : Number(uid);
}
