/** Edits scope, rate and limits of an active run; shows the effect before the change is made. */
import { useEffect, useRef, useState } from "preact/hooks";
import { api } from "../../api.ts";
import { asCurl } from "../../parts/api-button.tsx";
import { ErrorMessage } from "../../parts/notice.tsx";
import type { RunDetails } from "../../runs.ts";
import { LIMITS, type Name, PATTERNS, requestBodyOf, type ScopeInput } from "../../scope-edit.ts";
import { count } from "../../words.ts";

interface EditProps {
  readonly run: RunDetails;
  readonly queued: number;
  readonly onDone: () => void;
}

interface EditResult {
  readonly removed: number;
}

const PREVIEW_DELAY_MS = 300;

export function EditScope({ run, queued, onDone }: EditProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [typed, setTyped] = useState<ScopeInput>({});
  const [isPersistent, setPersistent] = useState(false);
  const [preview, setPreview] = useState<EditResult>();
  const [error, setError] = useState<Error>();
  const body = requestBodyOf(typed);
  const isEmpty = Object.keys(body).length === 0;
  const path = `/crawls/${run.id}`;
  const targetPath = isPersistent ? `${path}?persist=true` : path;
  useEffect(() => {
    setPreview(undefined);
    setError(undefined);
    if (isEmpty) return;
    const abort = new AbortController();
    const requestPreview = () => api<EditResult>(`${path}?dryRun=true`, { method: "PATCH", body, signal: abort.signal });
    const timer = setTimeout(
      () => requestPreview().then(setPreview, (cause: Error) => abort.signal.aborted || setError(cause)),
      PREVIEW_DELAY_MS,
    );
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [JSON.stringify(body)]);
  const apply = (event: Event) => {
    event.preventDefault();
    api<EditResult>(targetPath, { method: "PATCH", body }).then(() => {
      setTyped({});
      dialog.current?.close();
      onDone();
    }, setError);
  };
  const setField = (name: Name) => (event: { currentTarget: { value: string } }) =>
    setTyped({ ...typed, [name]: event.currentTarget.value });
  return (
    <>
      <button type="button" data-needs="write" onClick={() => dialog.current?.showModal()}>
        Edit scope
      </button>
      <dialog ref={dialog} aria-label="Edit scope">
        <h2>Edit scope of run {run.id}</h2>
        <form class="form" onSubmit={apply}>
          {PATTERNS.map(({ name, label, placeholder }) => (
            <label key={name}>
              {label}
              <textarea rows={2} value={typed[name] ?? ""} placeholder={placeholder} onInput={setField(name)} />
            </label>
          ))}
          <p class="faint small">Globs or /regular expressions/, one a line, on top of those the run has.</p>
          {LIMITS.map(({ name, label }) => (
            <label key={name}>
              {label}
              <input value={typed[name] ?? ""} placeholder={String(run.options[name] ?? "")} onInput={setField(name)} />
            </label>
          ))}
          <p class="faint small">What a site asks for in its robots.txt holds in any case. Pages count from the start of the run.</p>
          <label>
            <input type="checkbox" checked={isPersistent} onChange={(event) => setPersistent(event.currentTarget.checked)} />
            also for future runs
          </label>
          <p role="status">
            {preview && (
              <>
                <strong>{count(preview.removed)}</strong> of {count(queued)} queued URLs would be taken out.
              </>
            )}
          </p>
          <ErrorMessage error={error} />
          {!isEmpty && <pre>{asCurl({ path: targetPath, method: "PATCH", body })}</pre>}
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
