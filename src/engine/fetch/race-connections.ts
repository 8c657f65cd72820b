import { isIP, type Socket } from "node:net";
import { UnreachableError } from "./failure.ts";

/** RFC 8305 §8: how long an attempt runs alone before the next address is tried in parallel. */
const ATTEMPT_DELAY_MS = 250;

export interface ConnectedSocket {
  readonly socket: Socket;
  readonly address: string;
}

/** RFC 8305 §4: alternates the two families, best address first, so that an unreachable family costs only one delay. */
export function alternateFamilies(addresses: readonly string[]): readonly string[] {
  const family = isIP(addresses[0] ?? "");
  const first = addresses.filter((address) => isIP(address) === family);
  const second = addresses.filter((address) => isIP(address) !== family);
  return first.flatMap((address, index) => [address, ...second.slice(index, index + 1)]).concat(second.slice(first.length));
}

/**
 * Connects to the first of these addresses that answers (RFC 8305 §5). The next one is tried when one fails, or has not answered
 * after a quarter of a second. `open` begins to connect; a socket destroyed by the caller without an error ends the race.
 *
 * Node's `autoSelectFamily`, with a `lookup` that returns these addresses, is no replacement: it never has two attempts under way.
 * It ends an attempt that takes longer than `autoSelectFamilyAttemptTimeout` (250 ms) before it begins the next one, so a host that
 * is slow to answer on IPv4 and has a dead IPv6 address is not reached at all (ETIMEDOUT, then ECONNREFUSED). A longer timeout
 * only moves the fault: then each address that never answers costs that time on every connection.
 */
export function raceConnections(
  addresses: readonly string[],
  open: (address: string) => Socket,
  timeoutMs: number,
): Promise<ConnectedSocket> {
  return new Promise((resolve, reject) => {
    const waiting = [...addresses];
    const running = new Set<Socket>();
    const failures: UnreachableError[] = [];
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
    const onAttemptFailed = (socket: Socket, error: UnreachableError) => {
      if (!running.delete(socket) || isOver) return;
      failures.push(error);
      if (waiting.length > 0) attempt();
      else if (running.size === 0) fail(combineFailures(failures));
    };
    const attempt = () => {
      clearTimeout(next);
      const address = waiting.shift();
      if (address === undefined) return;
      const socket = open(address);
      running.add(socket);
      // The handler stays for the life of the socket: an unhandled error event ends the process.
      socket
        .on("error", (error) => onAttemptFailed(socket, connectError(error, address)))
        .once("close", (hadError) => {
          if (!hadError && running.has(socket)) fail(new UnreachableError("connection", `connection to ${address} closed`, true));
        })
        .once("connect", () => {
          if (isOver || socket.destroyed) return;
          end(socket);
          resolve({ socket, address });
        });
      next = setTimeout(attempt, ATTEMPT_DELAY_MS);
    };
    const onTimeout = () => fail(new UnreachableError("timeout", `no connection to ${addresses.join(", ")} in time`, true));
    const deadline = setTimeout(onTimeout, timeoutMs);
    attempt();
  });
}

/** One failure that names all addresses, with the reason of the last. */
function combineFailures(failures: readonly UnreachableError[]): UnreachableError {
  const last = failures.at(-1)!;
  if (failures.length === 1 || last.reason === "private-network") return last;
  const message = failures.map((failure) => failure.message).join("; ");
  return new UnreachableError(last.reason, message, last.mayHeal, { cause: new AggregateError(failures) });
}

export function connectError(error: NodeJS.ErrnoException, address: string): UnreachableError {
  if (error instanceof UnreachableError) return error;
  const { code = "" } = error;
  if (code === "ETIMEDOUT") return new UnreachableError("timeout", `no connection to ${address} in time`, true, { cause: error });
  return new UnreachableError("connection", `no connection to ${address} (${code || error.message})`, true, { cause: error });
}
