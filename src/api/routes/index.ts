/** Every route of the API, one file for each kind of thing. */
import type { Route } from "../route.ts";
import { crawlRoutes } from "./crawls.ts";
import { keyRoutes } from "./keys.ts";
import { siteRoutes } from "./sites.ts";
import { systemRoutes } from "./system.ts";

export const routes: readonly Route[] = [...systemRoutes, ...keyRoutes, ...siteRoutes, ...crawlRoutes];

const byName = new Map(routes.map((route) => [route.id, route]));

export function routeNamed(id: string): Route {
  const route = byName.get(id);
  if (!route) throw new Error(`there is no route ${id}`);
  return route;
}
