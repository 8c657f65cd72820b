/** Search results, best first, with the best passage of each page. */
import { queryText } from "../../api.ts";
import { ApiButton } from "../../parts/api-button.tsx";
import { Empty, ErrorMessage } from "../../parts/notice.tsx";
import { Link, useLocation } from "../../router.tsx";
import { useApi } from "../../use-api.ts";
import { count, pathOf, plural } from "../../words.ts";

interface FoundSnippet {
  readonly text: string;
  /** Positions of the search words in the text. */
  readonly matches: readonly (readonly [from: number, to: number])[];
}

interface FoundPage {
  readonly id: number;
  readonly url: string;
  readonly title: string | null;
  readonly snippet: FoundSnippet;
}

interface FoundProps {
  readonly siteId: number;
  readonly q: string;
  readonly lang: string | undefined;
  readonly topic: string | undefined;
}

const MAX_RESULTS = 100;

export function FoundPages({ siteId, q, lang, topic }: FoundProps) {
  const place = useLocation();
  const path = `/search${queryText({ q, siteId, lang, topic, all: true, limit: MAX_RESULTS })}`;
  const { data, error, isLoading } = useApi<{ total: number; data: readonly FoundPage[] }>(path);
  if (error) return <ErrorMessage error={error} />;
  if (!data || isLoading) return <p class="faint">loading…</p>;
  return (
    <section class="table" aria-label="Pages">
      <div class="table-tools">
        <span class="faint" role="status">
          {plural(data.total, "page")} found, the best first{data.total > MAX_RESULTS && `: the first ${count(MAX_RESULTS)}`}
        </span>
        <ApiButton path={path} />
      </div>
      {data.data.length === 0 && (
        <Empty>
          No pages hold these words. <Link to={`${place.path}?siteId=${siteId}`}>Clear the search</Link>
        </Empty>
      )}
      <ol class="found">
        {data.data.map(({ id, url, title, snippet }) => (
          <li key={id}>
            <Link to={`/pages/${id}`}>{title ?? url}</Link> <span class="faint small">{pathOf(url)}</span>
            <p class="small">
              <Snippet {...snippet} />
            </p>
          </li>
        ))}
      </ol>
    </section>
  );
}

const Snippet = ({ text, matches }: FoundSnippet) => (
  <>
    {matches.map(([from, to], at) => (
      <>
        {text.slice(matches[at - 1]?.[1] ?? 0, from)}
        <mark key={from}>{text.slice(from, to)}</mark>
      </>
    ))}
    {text.slice(matches.at(-1)?.[1] ?? 0)}
  </>
);
