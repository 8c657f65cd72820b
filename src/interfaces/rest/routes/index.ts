/** Every route of the API, one file for each kind of thing. */
import type { Route } from "../route.ts";
import { changeRoutes } from "./changes.ts";
import { contextRoutes } from "./contexts.ts";
import { crawlViewRoutes } from "./crawl-views.ts";
import { crawlRoutes } from "./crawls.ts";
import { decisionRoutes } from "./decisions.ts";
import { enhanceRoutes } from "./enhance.ts";
import { eventRoutes } from "./events.ts";
import { hostRoutes } from "./hosts.ts";
import { ignoredRoutes } from "./ignored.ts";
import { jobRoutes } from "./jobs.ts";
import { keyRoutes } from "./keys.ts";
import { linkRoutes } from "./links.ts";
import { oneShotRoutes } from "./one-shot.ts";
import { pagePartRoutes } from "./page-parts.ts";
import { pageScreenshotRoutes } from "./page-screenshot.ts";
import { pageVersionRoutes } from "./page-versions.ts";
import { pageRoutes } from "./pages.ts";
import { searchRoutes } from "./search.ts";
import { sitePartRoutes } from "./site-parts.ts";
import { siteRoutes } from "./sites.ts";
import { systemRoutes } from "./system.ts";
import { workerRoutes } from "./workers.ts";

export const routes: readonly Route[] = [
  ...systemRoutes,
  ...keyRoutes,
  ...siteRoutes,
  ...sitePartRoutes,
  ...crawlRoutes,
  ...crawlViewRoutes,
  ...hostRoutes,
  ...workerRoutes,
  ...decisionRoutes,
  ...eventRoutes,
  ...pageRoutes,
  ...pagePartRoutes,
  ...pageVersionRoutes,
  ...pageScreenshotRoutes,
  ...linkRoutes,
  ...searchRoutes,
  ...changeRoutes,
  ...ignoredRoutes,
  ...jobRoutes,
  ...contextRoutes,
  ...oneShotRoutes,
  ...enhanceRoutes,
];

const byName = new Map(routes.map((route) => [route.id, route]));

export function routeById(id: string): Route {
  const route = byName.get(id);
  if (!route) throw new Error(`there is no route ${id}`);
  return route;
}
