/** Every route of the API, one file for each kind of thing. */
import type { Route } from "../route.ts";
import { changeRoutes } from "./changes.ts";
import { crawlRoutes } from "./crawls.ts";
import { decisionRoutes } from "./decisions.ts";
import { linkRoutes } from "./links.ts";
import { pagePartRoutes } from "./page-parts.ts";
import { pageRoutes } from "./pages.ts";
import { sitePartRoutes } from "./site-parts.ts";
import { siteRoutes } from "./sites.ts";
import { systemRoutes } from "./system.ts";

export const routes: readonly Route[] = [
  ...systemRoutes,
  ...siteRoutes,
  ...sitePartRoutes,
  ...crawlRoutes,
  ...decisionRoutes,
  ...pageRoutes,
  ...pagePartRoutes,
  ...linkRoutes,
  ...changeRoutes,
];

const byName = new Map(routes.map((route) => [route.id, route]));

export function routeNamed(id: string): Route {
  const route = byName.get(id);
  if (!route) throw new Error(`there is no route ${id}`);
  return route;
}
