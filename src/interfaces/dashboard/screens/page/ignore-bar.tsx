/** Choices for ignoring a part: on this page, on the whole site, or by pattern. */
import { useRef, useState } from "preact/hooks";
import { api } from "../../api.ts";
import { type Rule, rulesFor, suggestPattern } from "../../ignore-pattern.ts";
import { ErrorMessage } from "../../parts/notice.tsx";

export interface IgnoreProps {
  readonly siteId: number;
  readonly pageId: number;
  readonly onDone: () => void;
}

interface BarProps extends IgnoreProps {
  /** The text, and the previous one if it differs. */
  readonly texts: readonly string[];
}

export function IgnoreBar({ siteId, pageId, texts, onDone }: BarProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [error, setError] = useState<Error>();
  const ignore = async (rules: readonly Rule[], isHere: boolean) => {
    try {
      for (const rule of rules) await api(`/sites/${siteId}/ignored`, { method: "POST", body: { ...rule, ...(isHere && { pageId }) } });
      dialog.current?.close();
      onDone();
    } catch (cause) {
      setError(cause as Error);
    }
  };
  const byPattern = (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    void ignore([{ kind: "pattern", value: String(form.get("pattern")) }], form.get("where") === "page");
  };
  return (
    <>
      <fieldset class="actions tight bare" aria-label="Ignore this">
        <span class="faint small">Ignore this</span>
        <button type="button" class="quiet" onClick={() => void ignore(rulesFor(texts), true)}>
          here
        </button>
        <button type="button" class="quiet" onClick={() => void ignore(rulesFor(texts), false)}>
          on this site
        </button>
        <button type="button" class="quiet" onClick={() => dialog.current?.showModal()}>
          by pattern…
        </button>
      </fieldset>
      {!dialog.current?.open && <ErrorMessage error={error} />}
      <dialog ref={dialog} aria-label="Ignore by pattern">
        <h2>Ignore by pattern</h2>
        <form class="form" onSubmit={byPattern}>
          <label>
            Pattern <textarea name="pattern" rows={3} required maxLength={1000} key={texts.join()} defaultValue={suggestPattern(texts)} />
          </label>
          <p class="faint small">Anything may stand where a * is; at an end it reaches to the end of the block.</p>
          <label>
            Where
            <select name="where">
              <option value="site">on all pages of this site</option>
              <option value="page">on this page</option>
            </select>
          </label>
          <ErrorMessage error={error} />
          <div class="actions">
            <button type="submit" class="main">
              Ignore it
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
