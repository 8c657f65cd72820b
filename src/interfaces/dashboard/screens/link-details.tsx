import { useEffect, useRef, useState } from "preact/hooks";
import { api } from "../api.ts";
import { ErrorMessage } from "../parts/notice.tsx";
import type { LinkRow, LinkSource } from "../records.ts";
import { Link } from "../router.tsx";
import { useList } from "../use-api.ts";
import type { Weights } from "./keyword-panel.tsx";
import { contributions } from "./link-score.ts";

interface DetailsProps {
  readonly link: LinkRow;
  readonly weights: Weights;
  readonly onClose: () => void;
  readonly onChange: () => void;
}

/** Where a link was found, with which text, and how its score is composed. */
export function LinkDetails({ link, weights, onClose, onChange }: DetailsProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [error, setError] = useState<Error>();
  const sources = useList<LinkSource>(`/links/${link.id}/sources?siteId=${link.siteId}`);
  useEffect(() => dialog.current?.showModal(), [link.id]);
  const saveLink = (body: object) =>
    api(`/links/${link.id}?siteId=${link.siteId}`, { method: "PATCH", body }).then(() => {
      onChange();
      dialog.current?.close();
    }, setError);
  const parts = contributions(link.keywords, weights);
  const sum = parts
    .map(({ word, match, weight }, at) => `${word} ${match.toFixed(2)} × ${weight.toFixed(2)}${at === 0 ? "" : ` × 1/${2 ** at}`}`)
    .join(" + ");
  return (
    <dialog ref={dialog} onClose={onClose} aria-label="Link">
      <h2>{link.text || link.url}</h2>
      <p>
        <a href={link.url} rel="noreferrer noopener" target="_blank">
          {link.url}
        </a>
      </p>
      {parts.length > 0 && (
        <p>
          {sum} = <strong>{parts.reduce((total, { worth }) => total + worth, 0).toFixed(2)}</strong>
        </p>
      )}
      {link.comment && <p class="faint">{link.comment}</p>}
      <ErrorMessage error={error} />
      <p data-needs="write">
        <button type="button" onClick={() => void saveLink({ pinned: !link.pinned })}>
          {link.pinned ? "Unpin" : "Pin"}
        </button>{" "}
        <button type="button" onClick={() => void saveLink({ muted: !link.muted })}>
          {link.muted ? "Unmute" : "Mute"}
        </button>
      </p>
      <form
        data-needs="write"
        onSubmit={(event) => {
          event.preventDefault();
          void saveLink({ note: String(new FormData(event.currentTarget as HTMLFormElement).get("note")) });
        }}
      >
        <label>
          Note <input name="note" defaultValue={link.note} />
        </label>{" "}
        <button type="submit">Keep</button>
      </form>
      <h3>Found on</h3>
      <ul>
        {sources.rows.map(({ pageId, page, text, heading, context }) => (
          <li key={`${pageId} ${text}`}>
            <Link to={`/pages/${pageId}`}>{page}</Link> as “{text}”{heading && <span class="faint"> under {heading}</span>}
            {context && <blockquote class="small">{context}</blockquote>}
          </li>
        ))}
      </ul>
      {sources.hasMore && (
        <button type="button" onClick={sources.more}>
          More
        </button>
      )}
      <form method="dialog">
        <button type="submit">Close</button>
      </form>
    </dialog>
  );
}
