/** Liveness, readiness and metrics. */
import type { FastifyInstance } from "fastify";
import type { WorkerCard } from "../store/index.ts";
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
    const { silence, lastHang } = places.engine;
    return reply.code(data && engine ? 200 : 503).send({
      status: data && engine ? "ok" : "not ready",
      data,
      engine,
      ...(silence > 0 && { engineSilentSeconds: silence / 1000 }),
      ...(lastHang && { lastHang: { at: new Date(lastHang.at).toISOString(), crawlIds: lastHang.crawlIds } }),
    });
  });
  front.get("/metrics", {
    onRequest: (request) => access.check(request.headers, "read"),
    handler: async (_, reply) => {
      // Metrics are answered even if the database does not respond.
      const workers = await within(() => places.askSelf("reader", "workers", undefined) as Promise<readonly WorkerCard[]>, []);
      return reply.type("text/plain; version=0.0.4; charset=utf-8").send(metrics.text(workers));
    },
  });
}

const PATIENCE = 2000;

const answers = (ask: () => Promise<unknown>): Promise<boolean> => within(() => ask().then(() => true), false);

const within = <T>(ask: () => Promise<T>, otherwise: T): Promise<T> =>
  Promise.race([ask().catch(() => otherwise), new Promise<T>((resolve) => setTimeout(resolve, PATIENCE, otherwise).unref())]);
