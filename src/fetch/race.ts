import { isIP, type Socket } from "node:net";
import { Unreachable } from "./failure.ts";

/** RFC 8305 §8: how long an attempt has for itself before the next address is tried beside it. */
const ATTEMPT_DELAY = 250;

export interface Reached {
  readonly socket: Socket;
  readonly address: string;
}

/** RFC 8305 §4: the two families in turn, the best address first, so that one dead family costs a single delay. */
export function alternated(addresses: readonly string[]): readonly string[] {
  const family = isIP(addresses[0] ?? "");
  const first = addresses.filter((address) => isIP(address) === family);
  const second = addresses.filter((address) => isIP(address) !== family);
  return first.flatMap((address, index) => [address, ...second.slice(index, index + 1)]).concat(second.slice(first.length));
}

/**
 * Connects to the first of these addresses that answers (RFC 8305 §5). The next one is tried when one fails, or has not answered
 * after a quarter of a second. Node's `autoSelectFamily` is not used because it gives an address up before it tries the next, so
 * a host that takes longer than that is never reached. `open` begins to connect; a socket that somebody else destroys without
 * an error ends the race.
 */
export function race(addresses: readonly string[], open: (address: string) => Socket, patience: number): Promise<Reached> {
  return new Promise((resolve, reject) => {
    const waiting = [...addresses];
    const running = new Set<Socket>();
    let isOver = false;
    let next: NodeJS.Timeout | undefined;

    const end = (winner?: Socket) => {
      isOver = true;
      clearTimeout(next);
      clearTimeout(deadline);
      for (const socket of running) if (socket !== winner) socket.destroy();
    };
    const fail = (error: Error) => {
      if (isOver) return;
      end();
      reject(error);
    };
    const lose = (socket: Socket, error: Error) => {
      if (!running.delete(socket) || isOver) return;
      if (waiting.length > 0) attempt();
      else if (running.size === 0) fail(error);
    };
    const attempt = () => {
      clearTimeout(next);
      const address = waiting.shift();
      if (address === undefined) return;
      const socket = open(address);
      running.add(socket);
      // The handler stays for the life of the socket: an error that nobody listens to ends the process.
      socket
        .on("error", (error) => lose(socket, notConnected(error, address)))
        .once("close", (hadError) => {
          if (!hadError && running.has(socket)) fail(new Unreachable("connection", `connection to ${address} closed`, true));
        })
        .once("connect", () => {
          if (isOver || socket.destroyed) return;
          end(socket);
          resolve({ socket, address });
        });
      next = setTimeout(attempt, ATTEMPT_DELAY);
    };
    const tooLate = () => fail(new Unreachable("timeout", `no connection to ${addresses.join(", ")} in time`, true));
    const deadline = setTimeout(tooLate, patience);
    attempt();
  });
}

export function notConnected(error: NodeJS.ErrnoException, address: string): Unreachable {
  if (error instanceof Unreachable) return error;
  const { code = "" } = error;
  if (code === "ETIMEDOUT") return new Unreachable("timeout", `no connection to ${address} in time`, true, { cause: error });
  return new Unreachable("connection", `no connection to ${address} (${code || error.message})`, true, { cause: error });
}
