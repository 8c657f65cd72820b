/** Whether it lives, whether it can work, and how much it does. */
import type { FastifyInstance } from "fastify";
import type { Access } from "./access.ts";
import type { Metrics } from "./metrics.ts";
import type { Places } from "./places.ts";

export function addHealth(
  front: FastifyInstance,
  { places, access, metrics }: { readonly places: Places; readonly access: Access; readonly metrics: Metrics },
): void {
  front.get("/healthz", (_, reply) => reply.send({ status: "ok" }));
  front.get("/readyz", async (_, reply) => {
    const states = await Promise.all([
      answers(() => places.askSelf("reader", "ready", undefined)),
      answers(() => places.askSelf("engine", "ready", undefined)),
    ]);
    const [data, engine] = states;
    return reply.code(data && engine ? 200 : 503).send({ status: data && engine ? "ok" : "not ready", data, engine });
  });
  front.get("/metrics", {
    onRequest: (request) => access.check(request.headers, "read"),
    handler: (_, reply) => reply.type("text/plain; version=0.0.4; charset=utf-8").send(metrics.text()),
  });
}

const PATIENCE = 2000;

const answers = (ask: () => Promise<unknown>): Promise<boolean> =>
  Promise.race([
    ask().then(
      () => true,
      () => false,
    ),
    new Promise<boolean>((resolve) => setTimeout(resolve, PATIENCE, false).unref()),
  ]);
