/** A name server that knows every name below one, and a web of hosts that name ever new ones. */
import { createSocket } from "node:dgram";
import type { PageSpec } from "../site/index.ts";
import { anchors, draw, times } from "./words.ts";

/** Answers each question for an IPv4 address with the same one, and every other with nothing. */
export async function wildcardNames(address: string): Promise<{ resolver: string; close(): void }> {
  const socket = createSocket("udp4");
  socket.on("message", (query, { port, address: from }) => {
    let at = 12;
    while (query[at] !== 0) at += query[at]! + 1;
    const isA = query.readUInt16BE(at + 1) === 1;
    const record = isA ? [0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, ...address.split(".").map(Number)] : [];
    const head = [query[0]!, query[1]!, 0x81, 0x80, 0, 1, 0, isA ? 1 : 0, 0, 0, 0, 0];
    socket.send(Buffer.concat([Buffer.from(head), query.subarray(12, at + 5), Buffer.from(record)]), port, from);
  });
  await new Promise<void>((ready) => socket.bind(0, "127.0.0.1", ready));
  return { resolver: `127.0.0.1:${socket.address().port}`, close: () => socket.close() };
}

export const DOMAIN = "farm.example.org";

type HostPage = (host: string, path: string, port: string) => PageSpec;

/** One page a host, and each names hosts that nobody has heard of. */
export const strangers: HostPage = (host, _, port) => {
  const { token, words } = draw(host);
  return `<p>${words(40)}</p>${anchors(...times(4, (): [string, string] => [`http://${token(8)}.${DOMAIN}:${port}/`, words(2)]))}`;
};

/** The same little site on every host. */
export const copies: HostPage = (host, path, port) => {
  const { token } = draw(`${host}${path}`);
  const inside = times(5, (n): [string, string] => [`/leaf${n}`, `Leaf ${n}`]);
  return `<title>Leaf</title><p>${draw(path).words(30)}</p>${anchors(...inside, [`http://${token(8)}.${DOMAIN}:${port}/`, "next"])}`;
};
