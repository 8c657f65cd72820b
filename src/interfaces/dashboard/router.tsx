/** Every view is a URL: path and query contain the whole state, so that it can be shared, bookmarked and reached with the back button. */
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";

const listeners = new Set<() => void>();
const notifyListeners = () => {
  for (const listen of listeners) listen();
};
addEventListener("popstate", notifyListeners);

export function navigate(to: string, how: "push" | "replace" = "push"): void {
  history[how === "push" ? "pushState" : "replaceState"](null, "", to);
  notifyListeners();
}

export interface ViewLocation {
  readonly path: string;
  readonly query: URLSearchParams;
}

const currentLocation = (): ViewLocation => ({ path: location.pathname, query: new URLSearchParams(location.search) });

export function useLocation(): ViewLocation {
  const [place, setPlace] = useState(currentLocation);
  useEffect(() => {
    const listen = () => setPlace(currentLocation());
    listeners.add(listen);
    return () => void listeners.delete(listen);
  }, []);
  return place;
}

/** The URL of the same view with other filters. A value of "" removes a filter. */
export function withQuery({ path, query }: ViewLocation, changes: Readonly<Record<string, string | undefined>>): string {
  const next = new URLSearchParams(query);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === "") next.delete(name);
    else next.set(name, value);
  }
  const text = next.toString();
  return text === "" ? path : `${path}?${text}`;
}

interface LinkProps {
  readonly to: string;
  readonly children: ComponentChildren;
  readonly class?: string;
  readonly title?: string;
  readonly "aria-current"?: "page" | undefined;
  readonly "aria-label"?: string;
  /** Called after navigation by this link. */
  readonly onGo?: () => void;
}

/** A link without a page reload; clicks with a modifier key are left to the browser. */
export function Link({ to, children, onGo, ...rest }: LinkProps) {
  const go = (event: MouseEvent) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    navigate(to);
    onGo?.();
  };
  return (
    <a href={to} onClick={go} {...rest}>
      {children}
    </a>
  );
}

/** Matches `/crawls/:id` against a path: the parameters, or undefined. */
export function matchPath(pattern: string, path: string): Readonly<Record<string, string>> | undefined {
  const wanted = pattern.split("/");
  const given = path.replace(/\/$/, "").split("/");
  if (wanted.length !== given.length) return undefined;
  const found: Record<string, string> = {};
  for (const [at, part] of wanted.entries()) {
    if (part.startsWith(":")) found[part.slice(1)] = decodeURIComponent(given[at]!);
    else if (part !== given[at]) return undefined;
  }
  return found;
}
