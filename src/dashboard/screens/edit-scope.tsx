/** Scope and pace of a run at work: what a change would do is told before it is made. */
import { useEffect, useRef, useState } from "preact/hooks";
import { api } from "../api.ts";
import { asCurl } from "../parts/api-button.tsx";
import { Trouble } from "../parts/notice.tsx";
import type { RunDetails } from "../runs.ts";
import { count } from "../words.ts";

interface EditProps {
  readonly run: RunDetails;
  readonly queued: number;
  readonly onDone: () => void;
}

interface Edited {
  readonly removed: number;
}

const PAUSE = 300;

export function EditScope({ run, queued, onDone }: EditProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [exclude, setExclude] = useState("");
  const [rateLimit, setRateLimit] = useState("");
  const [isKept, setKept] = useState(false);
  const [preview, setPreview] = useState<Edited>();
  const [error, setError] = useState<Error>();
  const patterns = exclude.split("\n").flatMap((line) => line.trim() || []);
  const body = { ...(patterns.length > 0 && { exclude: patterns }), ...(rateLimit.trim() && { rateLimit: rateLimit.trim() }) };
  const isEmpty = Object.keys(body).length === 0;
  const path = `/crawls/${run.id}`;
  useEffect(() => {
    setPreview(undefined);
    setError(undefined);
    if (isEmpty) return;
    const abort = new AbortController();
    const ask = () => api<Edited>(`${path}?dryRun=true`, { method: "PATCH", body, signal: abort.signal });
    const timer = setTimeout(() => ask().then(setPreview, (cause: Error) => abort.signal.aborted || setError(cause)), PAUSE);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [exclude, rateLimit]);
  const apply = (event: Event) => {
    event.preventDefault();
    api<Edited>(`${path}${isKept ? "?persist=true" : ""}`, { method: "PATCH", body }).then(() => {
      setExclude("");
      setRateLimit("");
      dialog.current?.close();
      onDone();
    }, setError);
  };
  return (
    <>
      <button type="button" onClick={() => dialog.current?.showModal()}>
        Edit scope
      </button>
      <dialog ref={dialog} aria-label="Edit scope">
        <h2>Edit scope of run {run.id}</h2>
        <form class="form" onSubmit={apply}>
          <label>
            Exclude
            <textarea
              rows={3}
              value={exclude}
              placeholder={"/archive/**\n/[?&]page=/"}
              onInput={(event) => setExclude(event.currentTarget.value)}
            />
          </label>
          <p class="faint small">Globs or /regular expressions/, one a line, on top of those the run has.</p>
          <label>
            Requests per host
            <input
              value={rateLimit}
              placeholder={String(run.options.rateLimit ?? "1/s")}
              onInput={(event) => setRateLimit(event.currentTarget.value)}
            />
          </label>
          <p class="faint small">What a site asks for in its robots.txt holds in any case.</p>
          <label>
            <input type="checkbox" checked={isKept} onChange={(event) => setKept(event.currentTarget.checked)} />
            also for future runs
          </label>
          <p role="status">
            {preview && (
              <>
                <strong>{count(preview.removed)}</strong> of {count(queued)} queued URLs would be taken out.
              </>
            )}
          </p>
          <Trouble error={error} />
          {!isEmpty && <pre>{asCurl({ path, method: "PATCH", body })}</pre>}
          <div class="actions">
            <button type="submit" class="main" disabled={isEmpty || !preview}>
              Apply
            </button>
            <button type="button" onClick={() => dialog.current?.close()}>
              Close
            </button>
          </div>
        </form>
      </dialog>
    </>
  );
}
