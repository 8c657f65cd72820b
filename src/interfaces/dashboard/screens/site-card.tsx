/** Edits a site: name, tags and options; also removes it. */
import { useRef, useState } from "preact/hooks";
import { api, failure } from "../api.ts";
import { ErrorMessage } from "../parts/notice.tsx";
import { bytes, plural } from "../words.ts";

export interface EditableSite {
  readonly id: number;
  readonly url: string;
  readonly name: string;
  readonly tags: readonly string[];
  readonly config: Readonly<Record<string, unknown>>;
}

type Counts = Readonly<Record<string, number>>;

export function SiteCard({ site, onChange }: { readonly site: EditableSite; readonly onChange: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [error, setError] = useState<Error>();
  const [removed, setRemoved] = useState<Counts>();
  const path = `/sites/${site.id}`;
  const done = () => {
    dialog.current?.close();
    onChange();
  };
  const open = () => {
    setError(undefined);
    setRemoved(undefined);
    dialog.current?.showModal();
  };
  const save = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    try {
      const config = JSON.parse(String(form.get("config")) || "{}") as unknown;
      // PUT replaces everything, so that options can be removed; keywords are passed through, because they have a screen of their own.
      const { keywords } = await api<{ keywords: unknown }>(path);
      const tags = String(form.get("tags")).split(",");
      const body = { name: form.get("name"), tags: tags.flatMap((tag) => tag.trim() || []), config, keywords };
      await api(path, { method: "PUT", body });
      done();
    } catch (cause) {
      setError(cause instanceof SyntaxError ? failure("The options are not JSON", cause.message) : (cause as Error));
    }
  };
  const previewRemoval = () =>
    api<{ removed: Counts }>(`${path}?dryRun=true`, { method: "DELETE" }).then((preview) => setRemoved(preview.removed), setError);
  const remove = () => api(path, { method: "DELETE" }).then(done, setError);
  const title = site.name || site.url;
  return (
    <>
      <button type="button" class="quiet" data-needs="write" aria-label={`Edit ${title}`} onClick={open}>
        Edit
      </button>
      <dialog ref={dialog} aria-label={`Edit ${title}`}>
        <h2>{title}</h2>
        <form class="form" key={JSON.stringify(site)} onSubmit={(event) => void save(event)}>
          <label>
            Name <input name="name" defaultValue={site.name} maxLength={200} />
          </label>
          <label>
            Tags <input name="tags" defaultValue={site.tags.join(", ")} placeholder="with commas between" />
          </label>
          <label>
            Options of its crawls <textarea name="config" rows={4} defaultValue={JSON.stringify(site.config, null, 2)} />
          </label>
          <p class="faint small">As in a config file, in JSON: {'{ "maxDepth": 3 }'}.</p>
          <ErrorMessage error={error} />
          <div class="actions">
            <button type="submit" class="main">
              Keep
            </button>
            <button type="button" onClick={() => dialog.current?.close()}>
              Close
            </button>
            {removed ? (
              <>
                <span role="status">{countsText(removed)} would go.</span>
                <button type="button" class="danger" onClick={() => void remove()}>
                  Remove for good
                </button>
              </>
            ) : (
              <button type="button" class="danger" onClick={() => void previewRemoval()}>
                Remove…
              </button>
            )}
          </div>
        </form>
      </dialog>
    </>
  );
}

const countsText = ({ runs = 0, pages = 0, versions = 0, bytes: size = 0 }: Counts) =>
  [plural(runs, "run"), plural(pages, "page"), plural(versions, "version"), bytes(size)].join(", ");
