/** The changed pages, and the number of each kind of change. */
import { Pill } from "../parts/pill.tsx";
import type { PageDiff } from "../records.ts";
import { Link, useLocation, withQuery } from "../router.tsx";
import { count, plural } from "../words.ts";

export const STATES = ["new", "changed", "gone", "unlinked", "unknown"];
/** The API's maximum list length. */
export const MAX_PAGES = 1000;

export interface PageChange {
  readonly pageId: number;
  readonly url: string;
  readonly title: string | null;
  readonly change: string;
  readonly score: number;
  readonly words: number;
  readonly detail: string;
  readonly kind: string | null;
  readonly alsoOn: readonly string[];
  readonly diff: PageDiff | null;
}

export function ChangeFilters({
  counts,
  wanted,
}: {
  readonly counts: Readonly<Record<string, number>> | undefined;
  readonly wanted: string | undefined;
}) {
  const place = useLocation();
  return (
    <nav class="chips" aria-label="Kinds of change">
      {STATES.map((state) => (
        <Link
          key={state}
          class="chip"
          to={withQuery(place, { change: wanted === state ? "" : state, page: "" })}
          aria-current={wanted === state ? "page" : undefined}
        >
          <Pill state={state}>{counts ? `${state} ${count(counts[state] ?? 0)}` : state}</Pill>
        </Link>
      ))}
    </nav>
  );
}

/** On narrow screens the difference is below the list, so it is scrolled into view. */
const showBelow = () => {
  if (matchMedia("(max-width: 60rem)").matches)
    requestAnimationFrame(() => document.getElementById("changed-page")?.scrollIntoView({ block: "start" }));
};

interface ListProps {
  readonly pages: readonly PageChange[];
  readonly at: number;
  readonly total: number;
  readonly isLoading: boolean;
  readonly isRead: (page: PageChange) => boolean;
}

export function PageList({ pages, at, total, isLoading, isRead }: ListProps) {
  const place = useLocation();
  const shownCount = pages.reduce((sum, { alsoOn }) => sum + 1 + alsoOn.length, 0);
  return (
    <ol class="choices" aria-label="Changed pages">
      {pages.map((page, index) => (
        <li key={page.pageId} class={index === at ? "at" : ""}>
          <Link to={withQuery(place, { page: String(page.pageId) })} onGo={showBelow} aria-current={index === at ? "page" : undefined}>
            <Pill state={page.change} /> {page.title ?? page.url}
          </Link>
          <div class="faint small">
            {isRead(page) && "✓ read · "}
            {page.words > 0 && `${plural(page.words, "word")} · `}
            {page.score > 0 && `score ${page.score.toFixed(2)} · `}
            {page.kind === "head" && "head only · "}
            {page.url}
            {page.alsoOn.length > 0 && ` and ${plural(page.alsoOn.length, "more page")}`}
          </div>
        </li>
      ))}
      {pages.length === 0 && <li class="empty">{isLoading ? "loading…" : "Nothing."}</li>}
      {shownCount < total && (
        <li class="faint">
          The first {count(shownCount)} of {count(total)}.{" "}
          {pages.length < MAX_PAGES && <Link to={withQuery(place, { all: "true" })}>Show more</Link>}
        </li>
      )}
    </ol>
  );
}
