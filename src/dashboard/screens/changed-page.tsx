/** What became of one page. */
import { Pill } from "../parts/pill.tsx";
import { Link } from "../router.tsx";
import type { PageNews } from "./changes.tsx";
import { IgnorableDiff } from "./ignorable-diff.tsx";
import type { Ignoring } from "./ignore-bar.tsx";
import { PageText } from "./page-text.tsx";

/** Of a page that is new, enough to see what it is. */
const BEGINNING = 5000;

export function ChangedPage({ page, ...ignoring }: Omit<Ignoring, "pageId"> & { readonly page: PageNews }) {
  return (
    <section aria-label={page.title ?? page.url}>
      <h2 class="first">
        <Link to={`/pages/${page.pageId}`}>{page.title ?? page.url}</Link>
      </h2>
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
