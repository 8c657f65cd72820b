/** A web that answers byte for byte: every address of 127.0.6.0/24 is a host of its own, on one port. */
import { createServer, type Socket } from "node:net";

export type Answer = (socket: Socket, path: string) => void;

export interface RawWeb {
  /** The front page of the n-th host. */
  at(host: number, path?: string): string;
  close(): Promise<void>;
}

const notFound = "HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n";

/** Host n gives the n-th answer to everything but robots.txt, of which it knows nothing unless told. */
export async function serveRaw(
  answers: readonly Answer[],
  robots: (host: number) => string | Answer | undefined = () => undefined,
): Promise<RawWeb> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on("close", () => sockets.delete(socket)).on("error", () => socket.destroy()));
    const host = Number(socket.localAddress?.split(".").at(-1)) - 1;
    let text = "";
    socket.on("data", (data) => {
      text += data.toString("latin1");
      for (let end = text.indexOf("\r\n\r\n"); end >= 0; end = text.indexOf("\r\n\r\n")) {
        const path = text.split(" ", 2)[1] ?? "/";
        text = text.slice(end + 4);
        const file = robots(host) ?? say(notFound);
        const answer = path === "/robots.txt" ? file : answers[host];
        if (typeof answer === "string") page(answer, { "content-type": "text/plain" })(socket, path);
        else answer?.(socket, path);
      }
    });
  });
  await new Promise<void>((ready) => server.listen(0, "0.0.0.0", ready));
  const { port } = server.address() as { port: number };
  return {
    at: (host, path = "/") => `http://127.0.6.${host + 1}:${port}${path}`,
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((closed) => server.close(() => closed()));
    },
  };
}

/** A whole, honest answer. */
export const page =
  (body: string | Buffer, headers: Record<string, string> = {}): Answer =>
  (socket) => {
    const bytes = Buffer.from(body);
    const lines = Object.entries({ "content-type": "text/html", "content-length": String(bytes.length), ...headers }).map(
      ([name, value]) => `${name}: ${value}\r\n`,
    );
    socket.write(Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\n${lines.join("")}\r\n`, "latin1"), bytes]));
  };

export const say =
  (text: string, then: "stay" | "end" | "reset" = "stay"): Answer =>
  (socket) => {
    socket.write(text, "latin1");
    if (then === "end") socket.end();
    if (then === "reset") setTimeout(() => socket.resetAndDestroy(), 30);
  };

/** The same bytes for as long as anybody listens. */
export const endless =
  (head: string, chunk: string): Answer =>
  (socket) => {
    const more = () => {
      while (!socket.destroyed && socket.write(chunk));
    };
    socket.write(head);
    socket.on("drain", more);
    more();
  };

export const drip =
  (head: string, text: string): Answer =>
  (socket) => {
    socket.write(head);
    const timer = setInterval(() => socket.write(text), 50);
    socket.on("close", () => clearInterval(timer));
  };
