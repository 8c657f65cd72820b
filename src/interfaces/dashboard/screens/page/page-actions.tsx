/** Fetches one page on request, in its host's turn: a stored page, or one that no link leads to. */
import { useState } from "preact/hooks";
import { typedUrl } from "../../../../core/typed-url.ts";
import { api, failure } from "../../api.ts";
import { ApiButton } from "../../parts/api-button.tsx";
import { ErrorMessage } from "../../parts/notice.tsx";
import type { PageRow } from "../../records.ts";
import { Link } from "../../router.tsx";

const WAIT = "wait=60s";

/** The page after the visit, or why it was not fetched. */
interface RefetchResult {
  readonly pageId?: number;
  readonly change?: string;
  readonly reason?: string;
  readonly rule?: string;
}

interface RefetchJob {
  readonly status: string;
  readonly error: { readonly detail: string } | null;
  readonly result: RefetchResult | null;
}

/** State and result of the job. */
function useRefetch(onDone: () => void) {
  const [isBusy, setBusy] = useState(false);
  const [job, setJob] = useState<RefetchJob>();
  const [error, setError] = useState<Error>();
  const refetch = (path: string, body?: object) => {
    setBusy(true);
    setError(undefined);
    setJob(undefined);
    api<RefetchJob>(`${path}?${WAIT}`, { method: "POST", ...(body && { body }) })
      .then((done) => {
        setJob(done);
        onDone();
      }, setError)
      .finally(() => setBusy(false));
  };
  return {
    isBusy,
    job,
    error: error ?? (job?.error ? failure("The page could not be fetched", job.error.detail) : undefined),
    look: refetch,
  };
}

function Outcome({ isBusy, job }: { readonly isBusy: boolean; readonly job: RefetchJob | undefined }) {
  const { result, status } = job ?? {};
  return (
    <span role="status" class="faint">
      {isBusy && "in its host's turn…"}
      {job && !result && !job.error && `${status}: see Settings, Jobs`}
      {result?.reason && `not asked for: ${result.rule || result.reason}`}
      {result?.pageId !== undefined && <Link to={`/pages/${result.pageId}`}>{result.change ?? "there"}</Link>}
    </span>
  );
}

export function PageActions({ page, onChange }: { readonly page: PageRow; readonly onChange: () => void }) {
  const { isBusy, job, error, look: refetch } = useRefetch(onChange);
  return (
    <div class="actions">
      <Outcome isBusy={isBusy} job={job} />
      <button type="button" data-needs="write" disabled={isBusy} onClick={() => refetch(`/pages/${page.id}/refresh`)}>
        Ask again
      </button>
      <ApiButton path={`/pages/${page.id}`} />
      <ErrorMessage error={error} />
    </div>
  );
}

export function AddPage({ siteId, onDone }: { readonly siteId: number; readonly onDone: () => void }) {
  const { isBusy, job, error, look: refetch } = useRefetch(onDone);
  const add = (event: SubmitEvent) => {
    event.preventDefault();
    refetch("/pages", { siteId, url: typedUrl(String(new FormData(event.currentTarget as HTMLFormElement).get("url"))) });
  };
  return (
    <details data-needs="write">
      <summary>Add a page that no link leads to</summary>
      <form class="bar" onSubmit={add} aria-label="Add a page">
        <label>
          Address <input name="url" inputMode="url" required placeholder="https://example.org/hidden" />
        </label>
        <button type="submit" disabled={isBusy}>
          Add
        </button>
        <Outcome isBusy={isBusy} job={job} />
        <ErrorMessage error={error} />
      </form>
    </details>
  );
}
