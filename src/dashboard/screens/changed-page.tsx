/** The change of one page. */
import { Pill } from "../parts/pill.tsx";
import { Link } from "../router.tsx";
import { counted } from "../words.ts";
import type { PageNews } from "./change-list.tsx";
import { IgnorableDiff } from "./ignorable-diff.tsx";
import type { Ignoring } from "./ignore-bar.tsx";
import { PageText } from "./page-text.tsx";

/** Text for pages without a difference to show. */
const WITHOUT_DIFF: Readonly<Record<string, string>> = {
  gone: "It is no longer there. Its last stored text:",
  unlinked: "No page links to it any more. Its last stored text:",
  unknown: "This run did not reach it. Its last stored text:",
  changed: "One of the two versions is not stored, so they cannot be compared. The text that is stored:",
};

function Stored({ page: { pageId, change, detail } }: Pick<ChangedProps, "page">) {
  // The text above already says that the page is back or has moved.
  const said = change === "changed" && detail !== "" ? "The text that is stored:" : WITHOUT_DIFF[change];
  return (
    <>
      {said && <p class="faint">{said}</p>}
      <div class={change === "gone" ? "struck" : undefined}>
        <PageText id={pageId} most={BEGINNING} />
      </div>
    </>
  );
}

/** Enough to recognize the page. */
const BEGINNING = 5000;

interface ChangedProps extends Omit<Ignoring, "pageId"> {
  readonly page: PageNews;
  readonly isRead: boolean;
  readonly onRead: (isRead: boolean) => void;
}

export function ChangedPage({ page, isRead, onRead, ...ignoring }: ChangedProps) {
  return (
    <section id="changed-page" aria-label={page.title ?? page.url}>
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
      {page.alsoOn.length > 0 && (
        <details>
          <summary>The same has changed on {counted(page.alsoOn.length, "more page")}</summary>
          <ul>
            {page.alsoOn.map((url) => (
              <li key={url}>{url}</li>
            ))}
          </ul>
        </details>
      )}
      {!page.diff && <Stored page={page} />}
    </section>
  );
}
