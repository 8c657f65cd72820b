/**
 * Prometheus metrics. Labels contain only our own values and worker names given by the operator: no URL, no host, nothing from remote
 * servers.
 */
import type { WorkerInfo } from "../../store/index.ts";
import type { EngineEvent } from "./engine/engine.ts";

const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

interface Histogram {
  readonly counts: number[];
  sum: number;
  total: number;
}

export class Metrics {
  readonly #requests = new Map<string, number>();
  readonly #times = new Map<string, Histogram>();
  readonly #events = new Map<string, number>();
  readonly #queued = new Map<number, number>();
  /** Evaluated when metrics are read. */
  listeners: () => number = () => 0;

  request(route: string, status: number, seconds: number): void {
    const name = `{route="${route}",status="${status}"}`;
    this.#requests.set(name, (this.#requests.get(name) ?? 0) + 1);
    const times = this.#times.get(route) ?? { counts: BUCKETS.map(() => 0), sum: 0, total: 0 };
    this.#times.set(route, times);
    for (const [at, limit] of BUCKETS.entries()) if (seconds <= limit) times.counts[at]! += 1;
    times.sum += seconds;
    times.total += 1;
  }

  event({ type, runId, data, isLast }: EngineEvent): void {
    const name = `{type="${type}"}`;
    this.#events.set(name, (this.#events.get(name) ?? 0) + 1);
    if (type === "crawl.progress") this.#queued.set(runId, (JSON.parse(data) as { data: { queued: number } }).data.queued);
    else if (isLast) this.#queued.delete(runId);
  }

  text(workers: readonly WorkerInfo[] = []): string {
    const { rss } = process.memoryUsage();
    return [
      ...family("nuthatch_http_requests_total", "counter", "Requests answered.", this.#requests),
      "# HELP nuthatch_http_request_seconds How long they took.",
      "# TYPE nuthatch_http_request_seconds histogram",
      ...[...this.#times].flatMap(([route, times]) => histogram("nuthatch_http_request_seconds", route, times)),
      ...family("nuthatch_events_total", "counter", "What runs told.", this.#events),
      ...family("nuthatch_runs_at_work", "gauge", "Runs at work.", new Map([["", this.#queued.size]])),
      ...family("nuthatch_queued_urls", "gauge", "URLs that wait, over all runs.", new Map([["", sum(this.#queued.values())]])),
      ...family("nuthatch_event_listeners", "gauge", "Clients that listen to events.", new Map([["", this.listeners()]])),
      ...workerFamilies(workers),
      ...family("process_resident_memory_bytes", "gauge", "Memory of the process that listens.", new Map([["", rss]])),
      "",
    ].join("\n");
  }
}

const perWorker: readonly (readonly [name: string, help: string, of: (worker: WorkerInfo) => number])[] = [
  ["seen_seconds", "How long ago it was heard of.", ({ silence }) => silence / 1000],
  ["leases", "Hosts that it holds.", ({ leases }) => leases],
  ["requests_out", "Requests that were out at its last word.", ({ out }) => out],
  ["pages", "Pages it has settled in runs that are still at work.", ({ pages }) => pages],
  ["draining", "1: it takes no more hosts.", ({ isDraining }) => Number(isDraining)],
];

function workerFamilies(workers: readonly WorkerInfo[]): string[] {
  if (workers.length === 0) return [];
  const labels = workers.map(({ id, name }) => `{worker="${escaped(id)}",name="${escaped(name)}"}`);
  return perWorker.flatMap(([name, help, of]) =>
    family(`nuthatch_worker_${name}`, "gauge", help, new Map(workers.map((worker, at) => [labels[at]!, of(worker)]))),
  );
}

const escaped = (label: string) => label.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");

const sum = (values: Iterable<number>) => [...values].reduce((total, value) => total + value, 0);

const family = (name: string, type: string, help: string, values: ReadonlyMap<string, number>) => [
  `# HELP ${name} ${help}`,
  `# TYPE ${name} ${type}`,
  ...[...values].map(([labels, value]) => `${name}${labels} ${value}`),
];

const histogram = (name: string, route: string, { counts, sum: seconds, total }: Histogram) => [
  ...counts.map((count, at) => `${name}_bucket{route="${route}",le="${BUCKETS[at]}"} ${count}`),
  `${name}_bucket{route="${route}",le="+Inf"} ${total}`,
  `${name}_sum{route="${route}"} ${seconds}`,
  `${name}_count{route="${route}"} ${total}`,
];
