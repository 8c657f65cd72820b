import { Agent, type AgentOptions } from "node:http";
import { isIP, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { connect as connectTls } from "node:tls";
import { type Access, type Connector, UnreachableError } from "../../fetch/index.ts";

/** Limits on connections: per host and port as in browsers, and for all together. */
export const MAX_PER_HOST = 6;
export const MAX_CONNECTIONS = 64;
export const MAX_HEADER_BYTES = 64 * 1024;

const options: AgentOptions = { keepAlive: true, maxSockets: MAX_PER_HOST, maxTotalSockets: MAX_CONNECTIONS, scheduling: "fifo" };

interface Target {
  readonly host?: string | null;
  readonly port?: number | string | null;
}
type ConnectCallback = (error: Error | null, socket: Duplex) => void;

/** Node's connection pooling over our own connections. */
class ConnectorAgent extends Agent {
  readonly #connect: (hostname: string, port: number) => Promise<Socket>;

  constructor(connect: (hostname: string, port: number) => Promise<Socket>) {
    super(options);
    this.#connect = connect;
  }

  override createConnection({ host, port }: Target, callback: ConnectCallback): undefined {
    this.#connect(host ?? "", Number(port)).then(
      (socket) => callback(null, socket),
      (error: Error) => callback(error, undefined as unknown as Duplex),
    );
  }
}

export function openAgents(connector: Connector, access: Access | undefined) {
  const plain = new ConnectorAgent((hostname, port) => connector({ hostname, port, isSecure: false }));
  const secure = new ConnectorAgent(async (hostname, port) =>
    startTls(await connector({ hostname, port, isSecure: true }), hostname, access),
  );
  return {
    plain,
    secure,
    close() {
      plain.destroy();
      secure.destroy();
    },
  };
}

function startTls(socket: Socket, givenHost: string, access: Access | undefined): Promise<Socket> {
  const host = givenHost.replace(/^\[|\]$/g, "");
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
    secure.once("close", () => reject(new UnreachableError("tls", `${host} hung up before the connection was secure`, true)));
    secure.on("error", (cause: NodeJS.ErrnoException) =>
      reject(new UnreachableError("tls", `no secure connection (${cause.code ?? cause.message})`, false, { cause })),
    );
  });
}
