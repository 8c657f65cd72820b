/** A state as colour, sign and word: no meaning rests on colour alone. */

const SIGNS: Readonly<Record<string, readonly [kind: string, sign: string]>> = {
  running: ["live", "●"],
  paused: ["idle", "❚❚"],
  finished: ["good", "✓"],
  stopped: ["idle", "■"],
  interrupted: ["warn", "!"],
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

export function Pill({ state, children }: { readonly state: string; readonly children?: string }) {
  const [kind, sign] = SIGNS[state] ?? (state.startsWith("limit") ? ["warn", "⊘"] : ["idle", "·"]);
  return (
    <span class={`pill ${kind}`}>
      <span aria-hidden="true">{sign}</span> {children ?? state}
    </span>
  );
}
