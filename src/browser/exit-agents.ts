import { Agent, type AgentOptions } from "node:http";
import { isIP, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { connect as connectTls } from "node:tls";
import { type Access, Unreachable, type Way } from "../fetch/index.ts";

/** Limits on connections: per host and port as in browsers, and for all together. */
export const PER_PLACE = 6;
export const IN_ALL = 64;
export const MAX_HEADER = 64 * 1024;

const options: AgentOptions = { keepAlive: true, maxSockets: PER_PLACE, maxTotalSockets: IN_ALL, scheduling: "fifo" };

interface Target {
  readonly host?: string | null;
  readonly port?: number | string | null;
}
type Done = (error: Error | null, socket: Duplex) => void;

/** Node's connection pooling over our own connections. */
class WayAgent extends Agent {
  readonly #connect: (hostname: string, port: number) => Promise<Socket>;

  constructor(connect: (hostname: string, port: number) => Promise<Socket>) {
    super(options);
    this.#connect = connect;
  }

  override createConnection({ host, port }: Target, done: Done): undefined {
    this.#connect(host ?? "", Number(port)).then(
      (socket) => done(null, socket),
      (error: Error) => done(error, undefined as unknown as Duplex),
    );
  }
}

export function openAgents(reach: Way, access: Access | undefined) {
  const plain = new WayAgent((hostname, port) => reach({ hostname, port, isSecure: false }));
  const secure = new WayAgent(async (hostname, port) => secured(await reach({ hostname, port, isSecure: true }), hostname, access));
  return {
    plain,
    secure,
    close() {
      plain.destroy();
      secure.destroy();
    },
  };
}

function secured(socket: Socket, written: string, access: Access | undefined): Promise<Socket> {
  const host = written.replace(/^\[|\]$/g, "");
  return new Promise((resolve, reject) => {
    const secure = connectTls({
      socket,
      host,
      // RFC 6066 §3: a literal address is not a server name.
      servername: isIP(host) === 0 ? host.replace(/\.$/, "") : "",
      ALPNProtocols: ["http/1.1"],
      ...(access?.trust && { secureContext: access.trust }),
    });
    secure.once("secureConnect", () => resolve(secure));
    secure.once("close", () => reject(new Unreachable("tls", `${host} hung up before the connection was secure`, true)));
    secure.on("error", (cause: NodeJS.ErrnoException) =>
      reject(new Unreachable("tls", `no secure connection (${cause.code ?? cause.message})`, false, { cause })),
    );
  });
}
