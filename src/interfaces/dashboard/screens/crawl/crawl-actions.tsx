/** Actions on a run: pause, stop, cancel, and edit while it is active. */
import { useRef, useState } from "preact/hooks";
import { api, queryText } from "../../api.ts";
import { ApiButton } from "../../parts/api-button.tsx";
import { ErrorMessage } from "../../parts/notice.tsx";
import { Link, navigate } from "../../router.tsx";
import { isRunActive, type RunDetails } from "../../runs.ts";
import type { RunData } from "../../use-run.ts";
import { EditScope } from "./edit-scope.tsx";

export function CrawlActions({ now: { run, live, reload } }: { readonly now: RunData }) {
  const [error, setError] = useState<Error>();
  const confirmDialog = useRef<HTMLDialogElement>(null);
  const { id, status } = run!;
  const isOn = isRunActive(status);
  const isPaused = live?.isPaused ?? status === "paused";
  const post = (what: string) =>
    api(`/crawls/${id}/${what}`, { method: "POST" }).then(() => {
      setError(undefined);
      reload();
    }, setError);
  const cancel = () => api(`/crawls/${id}/cancel`, { method: "POST" }).then(() => navigate("/crawls"), setError);
  const canResume = ["stopped", "limit", "deferred", "died", "failed"].includes(status);
  return (
    <div class="actions">
      {isOn && (
        <>
          <button type="button" data-needs="write" onClick={() => void post(isPaused ? "resume" : "pause")}>
            {isPaused ? "Resume" : "Pause"}
          </button>
          <button type="button" data-needs="write" onClick={() => void post("stop")}>
            Stop & keep
          </button>
          <button type="button" class="danger" data-needs="write" onClick={() => confirmDialog.current?.showModal()}>
            Cancel
          </button>
          <EditScope run={run!} queued={live?.queued ?? 0} onDone={reload} />
        </>
      )}
      {canResume && (
        <button type="button" class="main" data-needs="write" onClick={() => void post("resume")}>
          Carry on
        </button>
      )}
      {!isOn && <FinishedActions run={run!} onError={setError} />}
      <ApiButton path={`/crawls/${id}`} />
      <ErrorMessage error={error} />
      <dialog ref={confirmDialog} aria-label="Cancel this run?">
        <h2>Cancel run {id}?</h2>
        <p>What it has found is thrown away, and what earlier runs knew is as before. To keep it, stop the run instead.</p>
        <form method="dialog" class="actions">
          <button type="submit">Let it run</button>
          <button type="submit" class="danger" onClick={() => void cancel()}>
            Cancel the run
          </button>
        </form>
      </dialog>
    </div>
  );
}

/** Links for a finished run: its changes, its site, a new run. */
function FinishedActions({ run: { id, sites, seeds }, onError }: { readonly run: RunDetails; readonly onError: (error: Error) => void }) {
  const [site, ...others] = sites;
  const isOne = site !== undefined && others.length === 0;
  const crawlAgain = () =>
    api<{ id: number }>("/crawls", { method: "POST", body: isOne ? { siteId: site.id } : { urls: seeds } }).then(
      (run) => navigate(`/crawls/${run.id}`),
      onError,
    );
  return (
    <>
      {isOne && <Link to={`/changes${queryText({ siteId: site.id, to: id })}`}>Changes</Link>}
      {isOne && <Link to={`/pages?siteId=${site.id}`}>Pages</Link>}
      <button type="button" data-needs="write" onClick={() => void crawlAgain()}>
        Crawl again
      </button>
    </>
  );
}
