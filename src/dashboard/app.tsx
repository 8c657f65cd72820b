/** The house of the dashboard: what is always there, and which screen stands in it. */
import type { ComponentType } from "preact";
import { lazy, Suspense } from "preact/compat";
import { useEffect, useRef } from "preact/hooks";
import { useLiveState } from "./live.ts";
import { Link, matchPath, navigate, usePlace } from "./router.tsx";
import { Sites } from "./screens/sites.tsx";

export type Params = Readonly<Record<string, string>>;
type Screen = ComponentType<{ readonly params: Params }>;

/** One screen a file, loaded when it is first shown. */
const screens: readonly (readonly [pattern: string, screen: Screen])[] = [
  ["/", Sites],
  ["/crawls", lazy(async () => (await import("./screens/crawls.tsx")).Crawls)],
  ["/crawls/:id", lazy(async () => (await import("./screens/crawl.tsx")).CrawlScreen)],
  ["/pages", lazy(async () => (await import("./screens/pages.tsx")).Pages)],
  ["/pages/:id", lazy(async () => (await import("./screens/page.tsx")).PageScreen)],
  ["/links", lazy(async () => (await import("./screens/links.tsx")).Links)],
  ["/changes", lazy(async () => (await import("./screens/changes.tsx")).Changes)],
  ["/hosts", lazy(async () => (await import("./screens/hosts.tsx")).Hosts)],
  ["/playground", lazy(async () => (await import("./screens/playground.tsx")).Playground)],
  ["/settings", lazy(async () => (await import("./screens/settings.tsx")).Settings)],
  ["/structure", lazy(async () => (await import("./screens/structure.tsx")).Structure)],
];

const places: readonly (readonly [to: string, name: string])[] = [
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
  const { path, query } = usePlace();
  useEffect(focusSearchOnSlash, []);
  // Where there is little room, the names of the screens are pushed sideways.
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
          {places.map(([to, name]) => (
            <Link key={to} to={to === "/" ? to : to + keep} aria-current={isAt(to, path) ? "page" : undefined}>
              {name}
            </Link>
          ))}
        </nav>
        <LiveMark />
        <a href="/docs">API</a>
      </header>
      <main id="main">
        <Suspense fallback={<p class="faint">loading…</p>}>
          <Shown path={path} />
        </Suspense>
      </main>
    </>
  );
}

const isAt = (to: string, path: string) => (to === "/" ? path === "/" : path === to || path.startsWith(`${to}/`));

function Shown({ path }: { readonly path: string }) {
  for (const [pattern, Screen] of screens) {
    const params = matchPath(pattern === "/" ? "" : pattern, path === "/" ? "" : path);
    if (params) return <Screen params={params} />;
  }
  return (
    <div class="empty">
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

/** `/` leads to the search of the screen, or to that of the pages. */
function focusSearchOnSlash(): () => void {
  const listen = (event: KeyboardEvent) => {
    if (event.key !== "/" || (event.target as Element).closest("input, textarea, select")) return;
    event.preventDefault();
    const field = document.querySelector<HTMLInputElement>("input[type=search]");
    if (field) field.focus();
    else navigate("/pages");
  };
  addEventListener("keydown", listen);
  return () => removeEventListener("keydown", listen);
}
