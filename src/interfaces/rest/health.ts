/** Liveness, readiness and metrics. */
import type { FastifyInstance } from "fastify";
import type { WorkerInfo } from "../../store/index.ts";
import type { Access } from "./access.ts";
import type { Backends } from "./backends.ts";
import type { Metrics } from "./metrics.ts";

export function addHealth(
  front: FastifyInstance,
  { backends, access, metrics }: { readonly backends: Backends; readonly access: Access; readonly metrics: Metrics },
): void {
  front.get("/healthz", (_, reply) => reply.send({ status: "ok" }));
  front.get("/readyz", async (_, reply) => {
    const states = await Promise.all([
      isAnswering(() => backends.askInternal("reader", "ready", undefined)),
      isAnswering(() => backends.askInternal("engine", "ready", undefined)),
    ]);
    const [data, engine] = states;
    const { silence, lastHang } = backends.engine;
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
      const workers = await withTimeout(() => backends.askInternal("reader", "workers", undefined) as Promise<readonly WorkerInfo[]>, []);
      return reply.type("text/plain; version=0.0.4; charset=utf-8").send(metrics.text(workers));
    },
  });
}

const TIMEOUT_MS = 2000;

const isAnswering = (ask: () => Promise<unknown>): Promise<boolean> => withTimeout(() => ask().then(() => true), false);

const withTimeout = <T>(ask: () => Promise<T>, otherwise: T): Promise<T> =>
  Promise.race([ask().catch(() => otherwise), new Promise<T>((resolve) => setTimeout(resolve, TIMEOUT_MS, otherwise).unref())]);
