/** The site a screen shows, stored in the URL; default: the site crawled last. */
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import type { List } from "../api.ts";
import { Link, navigate, useLocation, withQuery } from "../router.tsx";
import { useApi } from "../use-api.ts";
import { siteLabel } from "../words.ts";
import { Empty, ErrorMessage } from "./notice.tsx";
import { Title } from "./title.tsx";

export interface SiteCard {
  readonly id: number;
  readonly url: string;
  readonly name: string;
  readonly keywords: readonly { readonly word: string; readonly weight: number }[];
  readonly lastCrawl: { readonly id: number; readonly startedAt: string } | null;
}

/** All sites, and the chosen one. */
export interface ChosenSite {
  readonly sites: readonly SiteCard[];
  readonly site: SiteCard;
}

export const siteName = ({ name, url }: Pick<SiteCard, "name" | "url">): string => name || siteLabel(url);

interface SiteScreenProps {
  readonly title: string;
  readonly show: (chosen: ChosenSite) => ComponentChildren;
}

/** A screen for one site; handles the cases of no site and of an unknown site in the URL. */
export function SiteScreen({ title, show }: SiteScreenProps) {
  const place = useLocation();
  const { data, error, isLoading } = useApi<List<SiteCard>>("/sites?limit=1000");
  const sites = data?.data ?? [];
  const wanted = place.query.get("siteId");
  const latest = [...sites].sort((a, b) => (b.lastCrawl?.startedAt ?? "").localeCompare(a.lastCrawl?.startedAt ?? ""))[0];
  const site = wanted === null ? latest : sites.find(({ id }) => String(id) === wanted);
  useEffect(() => {
    if (wanted === null && site) navigate(withQuery(place, { siteId: String(site.id) }), "replace");
  }, [wanted, site?.id]);
  return (
    <>
      <Title tab={site ? `${title}: ${siteName(site)}` : title}>{title}</Title>
      <ErrorMessage error={error} />
      {isLoading && <p class="faint">loading…</p>}
      {data && !site && <NoSite sites={sites} />}
      {site && show({ sites, site })}
    </>
  );
}

function NoSite({ sites }: { readonly sites: readonly SiteCard[] }) {
  const place = useLocation();
  if (sites.length === 0)
    return (
      <Empty command="nuthatch crawl https://example.org">
        No sites yet. <Link to="/">Enter a URL to crawl</Link>, or crawl one on the command line:
      </Empty>
    );
  return (
    <div class="empty">
      <p>There is no site {place.query.get("siteId")}: it was removed, or this link is from another server. Choose one:</p>
      <ul class="plain">
        {sites.map((site) => (
          <li key={site.id}>
            <Link to={`${place.path}?siteId=${site.id}`}>{siteName(site)}</Link>
          </li>
        ))}
      </ul>
    </div>
  );
}

export function SitePicker({ sites, site }: ChosenSite) {
  const place = useLocation();
  return (
    <label>
      Site
      <select
        value={site.id}
        onChange={(event) => navigate(withQuery({ path: place.path, query: new URLSearchParams() }, { siteId: event.currentTarget.value }))}
      >
        {sites.map((one) => (
          <option key={one.id} value={one.id}>
            {siteName(one)}
          </option>
        ))}
      </select>
    </label>
  );
}
