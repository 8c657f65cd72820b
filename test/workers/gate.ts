import { connect, createServer, type Socket } from "node:net";

/** What stands between workers and their database: while it is shut, connections that were are cut, and new ones refused. */
export interface Gate {
  readonly port: number;
  shut(): Promise<void>;
  open(): Promise<void>;
}

export async function openGate(to: number): Promise<Gate> {
  const sockets = new Set<Socket>();
  const join = (near: Socket) => {
    const far = connect(to, "127.0.0.1");
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.setNoDelay().on("close", () => sockets.delete(one));
      // An end that is cut cuts the other.
      one.on("error", () => other.destroy()).on("close", () => other.destroy());
      one.pipe(other);
    }
  };
  const server = createServer(join);
  const listen = (port: number) => new Promise<void>((ready, failed) => server.once("error", failed).listen(port, "127.0.0.1", ready));
  await listen(0);
  const { port } = server.address() as { port: number };
  return {
    port,
    shut: () => {
      const closed = new Promise<void>((done) => server.close(() => done()));
      for (const socket of sockets) socket.destroy();
      return closed;
    },
    open: () => listen(port),
  };
}
