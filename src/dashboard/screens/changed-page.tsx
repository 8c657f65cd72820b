/** What became of one page. */
import { Diff } from "../parts/diff.tsx";
import { Pill } from "../parts/pill.tsx";
import { Link } from "../router.tsx";
import type { PageNews } from "./changes.tsx";
import { PageText } from "./page-text.tsx";

/** Of a page that is new, enough to see what it is. */
const BEGINNING = 5000;

export function ChangedPage({ page }: { readonly page: PageNews }) {
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
      {page.diff ? <Diff diff={page.diff} /> : page.change === "new" && <PageText id={page.pageId} most={BEGINNING} />}
    </section>
  );
}
