import { expect, test } from "vitest";
import type { WorkerInfo } from "../../store/index.ts";
import { Metrics } from "./metrics.ts";

const worker: WorkerInfo = {
  ...{ id: "oak/71/5", name: "oak", machine: "oak", pid: 71, version: "0.1.0" },
  ...{ startedAt: 1000, seenAt: 60_000, silence: 2500, isAlive: true, isDraining: false },
  ...{ maxConcurrent: 10, leases: 12, out: 7, pages: 340, runs: [1] },
};

test("each worker is told with its last word, its hosts and its pages", () => {
  const text = new Metrics().text([worker, { ...worker, id: "elm/9/3", name: 'a "b" \\ c\nd', isDraining: true }]);
  for (const line of [
    "# TYPE nuthatch_worker_seen_seconds gauge",
    'nuthatch_worker_seen_seconds{worker="oak/71/5",name="oak"} 2.5',
    'nuthatch_worker_leases{worker="oak/71/5",name="oak"} 12',
    'nuthatch_worker_requests_out{worker="oak/71/5",name="oak"} 7',
    'nuthatch_worker_pages{worker="oak/71/5",name="oak"} 340',
    'nuthatch_worker_draining{worker="oak/71/5",name="oak"} 0',
    'nuthatch_worker_draining{worker="elm/9/3",name="a \\"b\\" \\\\ c\\nd"} 1',
  ])
    expect(text.split("\n")).toContain(line);
});

test("where nobody shares a database, nothing is said of workers", () => {
  expect(new Metrics().text()).not.toContain("worker");
});
