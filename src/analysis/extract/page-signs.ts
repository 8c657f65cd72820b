/** Whether a page is a dated article: an article has an author and a date, a list of products has neither. */
import { cachedPerPage, type PageView } from "./page-view.ts";
import { surroundingsOf } from "./surroundings.ts";

/** Cached, because author and dates both use it. */
export const pageSigns = cachedPerPage(signsOf);

function signsOf(page: PageView): Readonly<Record<string, number>> {
  const { url, metas, items } = page;
  const path = url
    .slice(0, 2000)
    .replace(/^[a-z]+:\/\/[^/]*/i, "")
    .replace(/[?#].*$/, "");
  const types = items.flatMap((item) => item.types).join(" ");
  const kind = (metas.get("og:type")?.[0] ?? "").toLowerCase();
  let prose = 0;
  for (const { text } of surroundingsOf(page).lines) if (text.length > 150) prose += 1;
  return {
    "page: home": /^\/?(?:[a-z]{2}\/?)?$/i.test(path) ? 1 : 0,
    "page: article": kind === "article" ? 1 : 0,
    "page: website": kind === "website" ? 1 : 0,
    "page: product": kind.includes("product") || /Product|LocalBusiness|ItemList|CollectionPage|Offer|Store/.test(types) ? 1 : 0,
    "page: article item": /Article|Posting/.test(types) ? 1 : 0,
    "page: prose": Math.min(1, prose / 10),
    "page: slug": (path.match(/[-_]/g)?.length ?? 0) >= 3 ? 1 : 0,
    "page: section": /\/(?:collections?|products?|category|categories|tags?|shop|docs?|services?|topics?)\//i.test(path) ? 1 : 0,
    "page: weblog":
      /\/(?:blogs?|news|articles?|posts?|story|stories|magazine?|aktuell\w*|artikel|noticias|archives?)\//i.test(path) ||
      /(?:19|20)\d{2}/.test(path)
        ? 1
        : 0,
  };
}
