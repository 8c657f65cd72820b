import dgram from "node:dgram";
import net from "node:net";

const refuse = () => {
  throw new Error("there is no network here");
};

/** Disables the network in this thread: code that opens documents does not need it. */
export function closeNetwork(): void {
  Object.assign(net.Socket.prototype, { connect: refuse });
  Object.assign(dgram.Socket.prototype, { bind: refuse, connect: refuse, send: refuse });
}
