/** A proxy as offices have them, on loopback: CONNECT and whole URLs, with a telephone book of its own. */
import { createServer, type IncomingMessage, request } from "node:http";
import { connect, type Socket } from "node:net";

export interface ProxySetup {
  /** Where names lead, `city.test` → `127.0.32.1`; what is not listed leads to itself. */
  readonly names?: Readonly<Record<string, string>>;
  /** `user:password` that it wants to see. */
  readonly user?: string;
  /** Answers every CONNECT with this. */
  readonly reply?: string;
  readonly address?: string;
}

export interface RunningProxy {
  readonly port: number;
  readonly url: string;
  /** First line and headers of each request, as it came. */
  readonly asked: { readonly line: string; readonly headers: IncomingMessage["headers"] }[];
  close(): Promise<void>;
}

export async function startProxy(setup: ProxySetup = {}): Promise<RunningProxy> {
  const asked: RunningProxy["asked"] = [];
  const sockets = new Set<Socket>();
  const leadsTo = (name: string) => setup.names?.[name] ?? name;
  const knows = ({ headers }: IncomingMessage) =>
    setup.user === undefined || headers["proxy-authorization"] === `Basic ${Buffer.from(setup.user).toString("base64")}`;

  const server = createServer((incoming, outgoing) => {
    asked.push({ line: `${incoming.method} ${incoming.url}`, headers: incoming.headers });
    if (!knows(incoming)) return void outgoing.writeHead(407, { "proxy-authenticate": "Basic" }).end();
    const { hostname, port, pathname, search } = new URL(incoming.url ?? "");
    const { "proxy-authorization": _, ...headers } = incoming.headers;
    const onward = request({ host: leadsTo(hostname), port: port || 80, path: pathname + search, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on("error", () => outgoing.writeHead(502).end()).end();
  });
  server.on("connect", (incoming, client: Socket) => {
    asked.push({ line: `CONNECT ${incoming.url}`, headers: incoming.headers });
    client.on("error", () => client.destroy());
    if (setup.reply !== undefined) return void client.write(setup.reply);
    if (!knows(incoming)) return void client.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
    const [, name = "", port = "443"] = /^(.*):(\d+)$/.exec(incoming.url ?? "") ?? [];
    const onward = connect(Number(port), leadsTo(name), () => {
      client.write("HTTP/1.1 200 Connection established\r\nvia: office\r\n\r\n");
      onward.pipe(client).pipe(onward);
    });
    sockets.add(onward);
    onward.on("error", () => client.end("HTTP/1.1 502 Bad Gateway\r\n\r\n"));
  });
  server.on("connection", (socket: Socket) => sockets.add(socket));
  await new Promise<void>((ready) => server.listen(0, setup.address ?? "127.0.32.200", ready));
  const { address, port } = server.address() as { address: string; port: number };
  const close = async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((closed) => server.close(closed));
  };
  return { port, url: `http://${address}:${port}`, asked, close };
}
