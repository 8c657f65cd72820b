/** The frame of the dashboard: navigation and the screen named by the URL. */
import { useEffect, useRef } from "preact/hooks";
import { watchAccess } from "./access-info.ts";
import { useLiveState } from "./live.ts";
import { KeyboardHelp, listenForKeys } from "./parts/keyboard.tsx";
import { LoadedScreen, type Screen } from "./parts/loaded-screen.tsx";
import { ErrorBanner } from "./parts/notice.tsx";
import { Title } from "./parts/title.tsx";
import { Link, matchPath, useLocation } from "./router.tsx";

export type Params = Readonly<Record<string, string>>;

/** One file per screen, loaded when it is first shown. */
const screens: readonly (readonly [pattern: string, load: () => Promise<Screen>])[] = [
  ["/", async () => (await import("./screens/sites.tsx")).Sites],
  ["/crawls", async () => (await import("./screens/crawl/crawls.tsx")).Crawls],
  ["/crawls/:id", async () => (await import("./screens/crawl/crawl.tsx")).CrawlScreen],
  ["/pages", async () => (await import("./screens/pages.tsx")).Pages],
  ["/pages/:id", async () => (await import("./screens/page/page.tsx")).PageScreen],
  ["/links", async () => (await import("./screens/links.tsx")).Links],
  ["/changes", async () => (await import("./screens/changes.tsx")).Changes],
  ["/hosts", async () => (await import("./screens/hosts.tsx")).Hosts],
  ["/playground", async () => (await import("./screens/playground.tsx")).Playground],
  ["/settings", async () => (await import("./screens/settings.tsx")).Settings],
  ["/structure", async () => (await import("./screens/structure.tsx")).Structure],
];

const navItems: readonly (readonly [to: string, name: string])[] = [
  ["/", "Sites"],
  ["/crawls", "Crawls"],
  ["/links", "Links"],
  ["/changes", "Changes"],
  ["/pages", "Pages"],
  ["/structure", "Structure"],
  ["/hosts", "Hosts"],
  ["/playground", "Playground"],
  ["/settings", "Settings"],
];

export function App() {
  const { path, query } = useLocation();
  useEffect(listenForKeys, []);
  useEffect(watchAccess, []);
  // On narrow screens the navigation scrolls sideways, so the current item is scrolled into view.
  const nav = useRef<HTMLElement>(null);
  useEffect(() => nav.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" }), [path]);
  const site = query.get("siteId");
  const keep = site === null ? "" : `?siteId=${encodeURIComponent(site)}`;
  return (
    <>
      <a class="skip" href="#main">
        To the content
      </a>
      <header class="top">
        <Link to="/" class="mark">
          <img src="/assets/icon.svg" alt="" width="24" height="24" /> Nuthatch
        </Link>
        <nav aria-label="Main" ref={nav}>
          {navItems.map(([to, name]) => (
            <Link key={to} to={to === "/" ? to : to + keep} aria-current={isAt(to, path) ? "page" : undefined}>
              {name}
            </Link>
          ))}
        </nav>
        <LiveMark />
        <a href="/docs">API</a>
      </header>
      <main id="main">
        <ErrorBanner path={path} />
        <CurrentScreen path={path} />
      </main>
      <KeyboardHelp />
    </>
  );
}

const isAt = (to: string, path: string) => (to === "/" ? path === "/" : path === to || path.startsWith(`${to}/`));

function CurrentScreen({ path }: { readonly path: string }) {
  for (const [pattern, load] of screens) {
    const params = matchPath(pattern === "/" ? "" : pattern, path === "/" ? "" : path);
    if (params) return <LoadedScreen key={path} load={load} params={params} />;
  }
  return (
    <div class="empty">
      <Title tab="Not found">Not found</Title>
      <p>There is no such page.</p>
      <Link to="/">Back to the sites</Link>
    </div>
  );
}

function LiveMark() {
  const state = useLiveState();
  return (
    <span class={`live-mark ${state}`} role="status">
      <span aria-hidden="true">●</span> {state}
    </span>
  );
}
