/** A state as colour, sign and word, so that nothing depends on colour alone. */
import { incompleteReason, type RunRow } from "../runs.ts";

const SIGNS: Readonly<Record<string, readonly [kind: string, sign: string]>> = {
  running: ["live", "●"],
  paused: ["idle", "❚❚"],
  finished: ["good", "✓"],
  stopped: ["idle", "■"],
  limit: ["warn", "⊘"],
  died: ["bad", "!"],
  deferred: ["warn", "…"],
  failed: ["bad", "✕"],
  new: ["new", "+"],
  changed: ["changed", "~"],
  same: ["idle", "="],
  gone: ["bad", "−"],
  unlinked: ["warn", "⌀"],
  unknown: ["idle", "?"],
  fetched: ["good", "✓"],
  "not-modified": ["good", "="],
  queued: ["live", "…"],
  skipped: ["idle", "↷"],
  ok: ["good", "✓"],
  slowed: ["warn", "◔"],
  "at work": ["live", "●"],
  draining: ["idle", "◔"],
  silent: ["bad", "✕"],
  refused: ["warn", "⊘"],
};

interface PillProps {
  readonly state: string;
  readonly title?: string | undefined;
  readonly children?: string | undefined;
}

export function Pill({ state, title, children }: PillProps) {
  const [kind, sign] = SIGNS[state] ?? ["idle", "·"];
  return (
    <span class={`pill ${kind}`} title={title}>
      <span aria-hidden="true">{sign}</span> {children ?? state}
    </span>
  );
}

export const RunPill = ({ run: { status, stopReason } }: { readonly run: Pick<RunRow, "status" | "stopReason"> }) => (
  <Pill state={status} title={incompleteReason(stopReason)} />
);
