/** Which site a screen is about; the URL says it. Without one, the site that was crawled last. */
import { useEffect } from "preact/hooks";
import type { List } from "../api.ts";
import { navigate, usePlace, withQuery } from "../router.tsx";
import { useApi } from "../use-api.ts";
import { placeOf } from "../words.ts";

export interface SiteCard {
  readonly id: number;
  readonly url: string;
  readonly name: string;
  readonly keywords: readonly { readonly word: string; readonly weight: number }[];
  readonly lastCrawl: { readonly id: number; readonly startedAt: string } | null;
}

export function useSite(): { readonly sites: readonly SiteCard[]; readonly site: SiteCard | undefined; readonly isLoading: boolean } {
  const place = usePlace();
  const { data, isLoading } = useApi<List<SiteCard>>("/sites?limit=1000");
  const sites = data?.data ?? [];
  const wanted = place.query.get("siteId");
  const latest = [...sites].sort((a, b) => (b.lastCrawl?.startedAt ?? "").localeCompare(a.lastCrawl?.startedAt ?? ""))[0];
  const site = wanted === null ? latest : sites.find(({ id }) => String(id) === wanted);
  useEffect(() => {
    if (wanted === null && site) navigate(withQuery(place, { siteId: String(site.id) }), "replace");
  }, [wanted, site?.id]);
  return { sites, site, isLoading };
}

export function SitePicker({ sites, site }: { readonly sites: readonly SiteCard[]; readonly site: SiteCard | undefined }) {
  const place = usePlace();
  return (
    <label>
      Site
      <select
        value={site?.id ?? ""}
        onChange={(event) => navigate(withQuery({ path: place.path, query: new URLSearchParams() }, { siteId: event.currentTarget.value }))}
      >
        {sites.map(({ id, name, url }) => (
          <option key={id} value={id}>
            {name || placeOf(url)}
          </option>
        ))}
      </select>
    </label>
  );
}
