import { expect, test } from "vitest";
import { openApp } from "../app.ts";
import { openJobs } from "./jobs.ts";
import { Problem } from "./problem.ts";

test.each(["running", "failed"])("a job of which cannot be noted that it is %s ends alone, and the next is done", async (broken) => {
  const app = await openApp({ db: ":memory:" });
  const { service } = app.store;
  const noteJob: typeof service.noteJob = async (id, note) => {
    if (note.status === broken && id === 1) throw new Error("database or disk is full");
    await service.noteJob(id, note);
  };
  const said: string[] = [];
  const told: string[] = [];
  const jobs = openJobs({
    app: { ...app, store: { ...app.store, service: { ...service, noteJob } } } as never,
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
