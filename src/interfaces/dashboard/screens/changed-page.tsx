/** The change of one page. */
import { Pill } from "../parts/pill.tsx";
import { Link } from "../router.tsx";
import { plural } from "../words.ts";
import type { PageChange } from "./change-list.tsx";
import { IgnorableDiff } from "./page/ignorable-diff.tsx";
import type { IgnoreProps } from "./page/ignore-bar.tsx";
import { PageText } from "./page/page-text.tsx";

/** Text for pages without a difference to show. */
const WITHOUT_DIFF: Readonly<Record<string, string>> = {
  gone: "It is no longer there. Its last stored text:",
  unlinked: "No page links to it any more. Its last stored text:",
  unknown: "This run did not reach it. Its last stored text:",
  changed: "One of the two versions is not stored, so they cannot be compared. The text that is stored:",
};

function StoredText({ page: { pageId, change, detail } }: Pick<ChangedProps, "page">) {
  // The text above already says that the page is back or has moved.
  const intro = change === "changed" && detail !== "" ? "The text that is stored:" : WITHOUT_DIFF[change];
  return (
    <>
      {intro && <p class="faint">{intro}</p>}
      <div class={change === "gone" ? "struck" : undefined}>
        <PageText id={pageId} most={MAX_PREVIEW_CHARS} />
      </div>
    </>
  );
}

/** Enough to recognize the page. */
const MAX_PREVIEW_CHARS = 5000;

interface ChangedProps extends Omit<IgnoreProps, "pageId"> {
  readonly page: PageChange;
  readonly isRead: boolean;
  readonly onRead: (isRead: boolean) => void;
}

export function ChangedPage({ page, isRead, onRead, ...ignoreProps }: ChangedProps) {
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
      {page.diff && <IgnorableDiff key={page.pageId} diff={page.diff} pageId={page.pageId} {...ignoreProps} />}
      {page.alsoOn.length > 0 && (
        <details>
          <summary>The same has changed on {plural(page.alsoOn.length, "more page")}</summary>
          <ul>
            {page.alsoOn.map((url) => (
              <li key={url}>{url}</li>
            ))}
          </ul>
        </details>
      )}
      {!page.diff && <StoredText page={page} />}
    </section>
  );
}
