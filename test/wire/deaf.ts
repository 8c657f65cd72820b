/** A port that never answers: its queue of connections is full, and the process that should empty it stands still. */
import { spawn } from "node:child_process";
import { connect, createServer } from "node:net";

const program = `
const server = require("node:net").createServer();
server.on("error", (error) => { throw error; });
server.listen({ host: process.argv[1], port: Number(process.argv[2]), backlog: 1 }, () => {
  require("node:fs").writeSync(1, "listening");
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60_000);
  process.exit();
});`;

/** More than fit into the queue. */
const CALLERS = 4;

export async function deafen(address: string, port: number): Promise<{ close(): void }> {
  const child = spawn(process.execPath, ["-e", program, address, String(port)], { stdio: ["ignore", "pipe", "inherit"] });
  await new Promise<void>((ready, failed) => {
    child.stdout.once("data", () => ready());
    child.once("exit", (code) => failed(new Error(`nobody listens at ${address} port ${port}: exit code ${code}`)));
  });
  // They are reset when the process ends.
  const callers = Array.from({ length: CALLERS }, () => connect({ host: address, port }).on("error", () => undefined));
  await new Promise<void>((ready) => callers[0]!.once("connect", ready));
  return {
    close: () => {
      for (const caller of callers) caller.destroy();
      child.kill("SIGKILL");
    },
  };
}

/** Some machines and containers have no IPv6, not even for themselves. */
export const hasIpv6 = await new Promise<boolean>((resolve) => {
  const server = createServer();
  server.once("error", () => resolve(false)).listen(0, "::1", () => server.close(() => resolve(true)));
});
