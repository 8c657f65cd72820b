import { useRef, useState } from "preact/hooks";
import { api } from "../api.ts";
import { ErrorMessage } from "../parts/notice.tsx";
import { count } from "../words.ts";

interface BlockProps {
  readonly host: string;
  readonly crawlId: number;
  readonly onChange: () => void;
}

/** All URLs of a host, with any scheme. */
const patternFor = (host: string) => `*//${host}/**`;

/** Removes a host from a run; shows the number of affected URLs first. */
export function HostBlock({ host, crawlId, onChange }: BlockProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [removed, setRemoved] = useState<number>();
  const [error, setError] = useState<Error>();
  const edit = (query: string) =>
    api<{ removed: number }>(`/crawls/${crawlId}${query}`, { method: "PATCH", body: { exclude: [patternFor(host)] } });
  const openDialog = () => {
    setError(undefined);
    dialog.current?.showModal();
    edit("?dryRun=true").then((edited) => setRemoved(edited.removed), setError);
  };
  const block = () => edit("").then(onChange, setError);
  return (
    <>
      <button type="button" class="quiet" data-needs="write" aria-label={`Block ${host}`} onClick={openDialog}>
        Block
      </button>
      <dialog ref={dialog} aria-label={`Block ${host}`}>
        <h2>Block {host}?</h2>
        <p role="status">
          {removed === undefined ? "Counting…" : `${count(removed)} queued URLs of run ${crawlId} would be taken out.`} What it has fetched
          stays.
        </p>
        <ErrorMessage error={error} />
        <form method="dialog" class="actions">
          <button type="submit">Leave it</button>
          <button type="submit" class="danger" onClick={() => void block()}>
            Block it in this run
          </button>
        </form>
      </dialog>
    </>
  );
}
