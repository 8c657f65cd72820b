import type { StopReason } from "../core/records.ts";
import { type Run, type RunState, runState, stopReasonOf } from "../store/index.ts";

/** A run in documents: the words and moments of the API, without what only a resume needs. */
export interface RunRecord extends Omit<Run, "state" | "owner" | "status" | "stopReason" | "startedAt" | "endedAt" | "prunedAt"> {
  readonly status: RunState;
  readonly stopReason: StopReason | null;
  readonly startedAt: string;
  readonly endedAt: string | null;
  readonly prunedAt?: string;
}

const iso = (at: number) => new Date(at).toISOString();

export function runRecord({ state: _, owner: __, ...run }: Run, isAlive: boolean): RunRecord {
  const { startedAt, endedAt, prunedAt, ...rest } = run;
  return {
    ...rest,
    status: runState(run, isAlive),
    stopReason: stopReasonOf(run, isAlive) ?? null,
    startedAt: iso(startedAt),
    endedAt: endedAt === undefined ? null : iso(endedAt),
    ...(prunedAt === undefined ? {} : { prunedAt: iso(prunedAt) }),
  };
}
