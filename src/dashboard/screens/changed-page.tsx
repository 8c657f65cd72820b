/** What became of one page. */
import { Pill } from "../parts/pill.tsx";
import { Link } from "../router.tsx";
import type { PageNews } from "./change-list.tsx";
import { IgnorableDiff } from "./ignorable-diff.tsx";
import type { Ignoring } from "./ignore-bar.tsx";
import { PageText } from "./page-text.tsx";

/** Of a page that is new, enough to see what it is. */
const BEGINNING = 5000;

interface ChangedProps extends Omit<Ignoring, "pageId"> {
  readonly page: PageNews;
  readonly isRead: boolean;
  readonly onRead: (isRead: boolean) => void;
}

export function ChangedPage({ page, isRead, onRead, ...ignoring }: ChangedProps) {
  return (
    <section aria-label={page.title ?? page.url}>
      <div class="head">
        <h2 class="first">
          <Link to={`/pages/${page.pageId}`}>{page.title ?? page.url}</Link>
        </h2>
        <button type="button" class="quiet" aria-pressed={isRead} onClick={() => onRead(!isRead)}>
          {isRead ? "✓ read" : "Mark as read"}
        </button>
      </div>
      <p>
        <Pill state={page.change} />{" "}
        <a href={page.url} rel="noreferrer noopener" target="_blank">
          {page.url}
        </a>{" "}
        <span class="faint">{page.detail}</span>
      </p>
      {page.diff && <IgnorableDiff key={page.pageId} diff={page.diff} pageId={page.pageId} {...ignoring} />}
      {!page.diff && page.change === "new" && <PageText id={page.pageId} most={BEGINNING} />}
    </section>
  );
}
