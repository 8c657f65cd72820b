/** Overview of a page: what is known, how it was found, and what people noted. */
import { useState } from "preact/hooks";
import { api, type List, queryText } from "../../api.ts";
import { Facts } from "../../parts/facts.tsx";
import { ErrorMessage } from "../../parts/notice.tsx";
import { Time } from "../../parts/time.tsx";
import type { PageRow } from "../../records.ts";
import { Link } from "../../router.tsx";
import { useApi } from "../../use-api.ts";
import { bytes, count } from "../../words.ts";

interface PageProps {
  readonly page: PageRow;
  readonly onChange: () => void;
}

export function Overview({ page, onChange }: PageProps) {
  return (
    <>
      <Facts
        facts={[
          ["Status", page.status],
          ["Type", page.contentType ?? "unknown"],
          ["Size", bytes(page.bytes)],
          ["Took", `${count(page.durationMs)} ms${page.fromCache ? " (not modified)" : ""}`],
          ["Last seen", <Time key="at" at={page.fetchedAt} />],
          ["Before that", <Time key="before" at={page.previousFetchedAt} />],
          ["Run", <Link key="run" to={`/crawls/${page.crawlId}`}>{`run ${page.crawlId}`}</Link>],
          ["Canonical", <PageAt key="canonical" page={page} url={page.canonicalUrl} />],
          ["Same as", <PageAt key="same" page={page} url={page.duplicateOf ?? page.nearDuplicateOf} />],
          ["Indexed", page.noindex ? "asks not to be" : "yes"],
        ]}
      />
      <h2>How we got here</h2>
      <Chain page={page} />
      <h2>What you say of it</h2>
      <NotesForm page={page} onChange={onChange} />
    </>
  );
}

/** Another page by URL: linked here if it is stored, otherwise to the web. */
function PageAt({ page, url }: { readonly page: PageRow; readonly url: string | null }) {
  const { data } = useApi<List<PageRow>>(url === null ? undefined : `/pages${queryText({ siteId: page.siteId, url })}`);
  if (url === null) return <>–</>;
  const stored = data?.data[0];
  if (stored?.id === page.id) return <>{url} (this page)</>;
  if (stored) return <Link to={`/pages/${stored.id}`}>{url}</Link>;
  return (
    <a href={url} rel="noreferrer noopener" target="_blank">
      {url}
    </a>
  );
}

/** The path from the seed or sitemap to the page. */
function Chain({ page }: { readonly page: PageRow }) {
  const { data, error } = useApi<{ chain: readonly string[] }>(`/explain${queryText({ url: page.url, crawlId: page.crawlId })}`);
  const ancestors = (data?.chain ?? []).slice(0, -1);
  return (
    <>
      <ErrorMessage error={error} />
      <ol class="chain">
        {ancestors.map((url) => (
          <li key={url}>
            <PageAt page={page} url={url} />
          </li>
        ))}
        <li>
          {page.url}{" "}
          <span class="faint">
            depth {page.depth}, by {page.discoveredVia}
          </span>
        </li>
      </ol>
    </>
  );
}

function NotesForm({ page, onChange }: PageProps) {
  const [error, setError] = useState<Error>();
  const [isSaved, setSaved] = useState(false);
  const save = (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const tags = String(form.get("tags")).split(",");
    const body = { note: String(form.get("note")), tags: tags.flatMap((tag) => tag.trim() || []), muted: form.has("muted") };
    api(`/pages/${page.id}`, { method: "PATCH", body }).then(() => {
      setError(undefined);
      setSaved(true);
      onChange();
    }, setError);
  };
  return (
    <form class="form card" onSubmit={save} onInput={() => setSaved(false)} aria-label="What you say of it">
      <label>
        Note <textarea name="note" rows={2} defaultValue={page.note} />
      </label>
      <label>
        Tags <input name="tags" defaultValue={page.tags.join(", ")} placeholder="with commas between" />
      </label>
      <label>
        <input type="checkbox" name="muted" defaultChecked={page.muted} />
        does not matter: leave it out of changes
      </label>
      <ErrorMessage error={error} />
      <div class="actions" data-needs="write">
        <button type="submit">Keep</button>
        <span role="status" class="faint">
          {isSaved && "kept"}
        </span>
      </div>
    </form>
  );
}
