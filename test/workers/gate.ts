import { connect, createServer, type Socket } from "node:net";

/** What stands between workers and their database: while it is shut, connections that were are cut, and new ones refused. */
export interface Gate {
  readonly port: number;
  shut(): Promise<void>;
  open(): Promise<void>;
  /** As if it were shut, but those who come are heard before they are cut off: `tries` counts them. */
  refuse(): void;
  readonly tries: number;
  /** Nothing goes through the connections there are, and nobody is told; new ones are made as always. */
  freeze(): void;
}

export async function openGate(to: number): Promise<Gate> {
  const sockets = new Set<Socket>();
  let [isRefusing, tries] = [false, 0];
  const join = (near: Socket) => {
    tries += 1;
    if (isRefusing) return void near.on("error", () => undefined).destroy();
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
    open: async () => {
      isRefusing = false;
      if (!server.listening) await listen(port);
    },
    refuse: () => {
      isRefusing = true;
      tries = 0;
      for (const socket of sockets) socket.destroy();
    },
    get tries() {
      return tries;
    },
    freeze: () => {
      for (const socket of sockets) socket.unpipe().pause();
    },
  };
}
