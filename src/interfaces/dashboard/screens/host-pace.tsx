/** Pauses or slows down a host, in all active and future runs. */
import { useRef, useState } from "preact/hooks";
import { api } from "../api.ts";
import { ErrorMessage } from "../parts/notice.tsx";
import { Time } from "../parts/time.tsx";

export interface HostSettings {
  readonly host: string;
  readonly pausedUntil: string | null;
  /** Requests per second. */
  readonly rate: number | null;
}

const MINUTE_MS = 60_000;
const PAUSES: readonly (readonly [name: string, ms: number])[] = [
  ["15 minutes", 15 * MINUTE_MS],
  ["an hour", 60 * MINUTE_MS],
  ["6 hours", 360 * MINUTE_MS],
  ["a day", 1440 * MINUTE_MS],
  ["a week", 10_080 * MINUTE_MS],
];

interface PaceProps {
  readonly settings: HostSettings;
  readonly onChange: () => void;
}

export function HostPace({ settings, onChange }: PaceProps) {
  const { host, pausedUntil, rate } = settings;
  const dialog = useRef<HTMLDialogElement>(null);
  const [error, setError] = useState<Error>();
  // Errors are shown in the dialog, also those of the button outside it.
  const showFailure = (cause: Error) => {
    setError(cause);
    if (!dialog.current?.open) dialog.current?.showModal();
  };
  const saveSettings = (body: { pausedUntil?: string | null; rate?: number | string | null }) =>
    api(`/hosts/${encodeURIComponent(host)}`, { method: "PATCH", body }).then(() => {
      setError(undefined);
      dialog.current?.close();
      onChange();
    }, showFailure);
  const pause = (ms: number) => void saveSettings({ pausedUntil: new Date(Date.now() + ms).toISOString() });
  const slow = (event: SubmitEvent) => {
    event.preventDefault();
    const text = String(new FormData(event.currentTarget as HTMLFormElement).get("rate")).trim();
    void saveSettings({ rate: text === "" ? null : /^\d+(\.\d+)?$/.test(text) ? Number(text) : text });
  };
  return (
    <>
      <button type="button" class="quiet" data-needs="write" aria-label={`Pace of ${host}`} onClick={() => dialog.current?.showModal()}>
        Pace
      </button>
      {pausedUntil !== null && (
        <button
          type="button"
          class="quiet"
          data-needs="write"
          aria-label={`Let ${host} go on`}
          onClick={() => void saveSettings({ pausedUntil: null })}
        >
          Go on
        </button>
      )}
      <dialog ref={dialog} aria-label={`Pace of ${host}`}>
        <h2>Pace of {host}</h2>
        <p class="faint">
          It holds in every run at work and in those that come. What the host asks for in its robots.txt holds in any case.
        </p>
        <h3>{pausedUntil === null ? "Pause for" : <PausedUntil at={pausedUntil} />}</h3>
        <div class="actions">
          {PAUSES.map(([name, ms]) => (
            <button key={name} type="button" onClick={() => pause(ms)}>
              {name}
            </button>
          ))}
          {pausedUntil !== null && (
            <button type="button" class="main" onClick={() => void saveSettings({ pausedUntil: null })}>
              Go on now
            </button>
          )}
        </div>
        <h3>Slow down</h3>
        <form class="actions" onSubmit={slow}>
          <label>
            Requests at most
            <input name="rate" key={rate} defaultValue={rate === null ? "" : `${rate}/s`} placeholder="30/m" />
          </label>
          <button type="submit">Set</button>
          <span class="faint small">Empty: as each run says.</span>
        </form>
        <ErrorMessage error={error} />
        <form method="dialog">
          <p>
            <button type="submit">Close</button>
          </p>
        </form>
      </dialog>
    </>
  );
}

const PausedUntil = ({ at }: { readonly at: string }) => (
  <>
    Paused: goes on <Time at={at} />. Instead, pause for
  </>
);
