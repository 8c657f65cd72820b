import { expect, test } from "vitest";
import { openApp } from "../../../engine/app.ts";
import { Problem } from "../problem.ts";
import { openJobs } from "./jobs.ts";

test.each(["running", "failed"])("a job of which cannot be noted that it is %s ends alone, and the next is done", async (broken) => {
  const app = await openApp({ db: ":memory:" });
  const { service } = app.store;
  const noteJob: typeof service.updateJob = async (id, note) => {
    if (note.status === broken && id === 1) throw new Error("database or disk is full");
    await service.updateJob(id, note);
  };
  const said: string[] = [];
  const told: string[] = [];
  const jobs = openJobs({
    app: { ...app, store: { ...app.store, service: { ...service, updateJob: noteJob } } } as never,
    db: ":memory:",
    options: {} as never,
    emit: ({ type }) => told.push(type),
    problemOf: (cause) => new Problem("internal", String(cause)),
    log: { trouble: (line: string) => said.push(line) } as never,
  });
  // Neither names a site, so both fail.
  const first = await jobs.start("export", {}, 10_000);
  const second = await jobs.start("export", {}, 10_000);
  expect(first.id).toBe(1);
  expect(second.status).toBe("failed");
  expect(told).toEqual(["job.finished", "job.finished"]);
  if (broken === "failed") expect(said.join("\n")).toContain("job 1 (export) is over, and how it ended could not be noted");
  await app.close();
});

test("a job that two requests cancel at once has ended for both", async () => {
  const app = await openApp({ db: ":memory:" });
  const { service } = app.store;
  const held: (() => void)[] = [];
  /** Until it is let go, what is written takes as long as on a slow disk. */
  const noteJob: typeof service.updateJob = async (id, note) => {
    await new Promise<void>((resolve) => held.push(resolve));
    await service.updateJob(id, note);
  };
  const jobs = openJobs({
    app: { ...app, store: { ...app.store, service: { ...service, updateJob: noteJob } } } as never,
    db: ":memory:",
    options: {} as never,
    emit: () => undefined,
    problemOf: (cause) => new Problem("internal", String(cause)),
    log: { trouble: () => undefined } as never,
  });
  for (let count = 0; count < 3; count++) await jobs.start("export", {}, 0);
  // Two are at work; the third waits.
  const cancelled = [jobs.cancel(3), jobs.cancel(3)];
  const letGo = setInterval(() => {
    for (const go of held.splice(0)) go();
  }, 20);
  for (const job of await Promise.all(cancelled)) expect(job).toMatchObject({ id: 3, status: "failed", endedAt: expect.any(Number) });
  await jobs.suspend();
  clearInterval(letGo);
  await app.close();
});
