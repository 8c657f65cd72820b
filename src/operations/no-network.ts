import dgram from "node:dgram";
import net from "node:net";

const refuse = () => {
  throw new Error("there is no network here");
};

/** Closes the network for this thread: what opens a document has nothing to ask of anybody. */
export function closeNetwork(): void {
  Object.assign(net.Socket.prototype, { connect: refuse });
  Object.assign(dgram.Socket.prototype, { bind: refuse, connect: refuse, send: refuse });
}
