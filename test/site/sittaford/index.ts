import { type PageHandler, type RunningSite, serveSite } from "../serve.ts";
import type { Sittaford } from "./layout.ts";
import { library } from "./library.ts";
import { partsShop } from "./parts-shop.ts";
import { townHall } from "./town-hall.ts";
import { university } from "./university.ts";

export interface DemoHost extends RunningSite {
  /** What people in Sittaford call it. */
  name: string;
}

export interface DemoWeb {
  /** One for each host but the last, which is the town hall's old address. */
  seeds: string[];
  hosts: DemoHost[];
  /** A week later: one page has changed, one has gone. */
  next(): void;
  close(): Promise<void>;
}

const houses: [name: string, pages: (web: Sittaford) => PageHandler][] = [
  ["town hall", townHall],
  ["library", library],
  ["university", university],
  ["spare parts shop", partsShop],
  ["old address of the town hall", townHall],
];

/** The invented town of Sittaford: five hosts, each on a loopback address of its own where the system has them. */
export async function startDemoWeb(): Promise<DemoWeb> {
  let handlers: PageHandler[] = [];
  const hosts: DemoHost[] = [];
  for (const [place, [name]] of houses.entries()) {
    const site = await serveOn(`127.0.0.${place + 1}`, (request) => handlers[place]?.(request));
    hosts.push(Object.assign(site, { name }));
  }
  const [hall = "", books = "", campus = "", shop = "", oldAddress = ""] = hosts.map((host) => host.origin);
  const web: Sittaford = { townHall: hall, library: books, university: campus, shop, oldAddress, edition: 0 };
  const next = () => {
    web.edition += 1;
    handlers = houses.map(([, pages]) => pages(web));
  };
  next();
  return {
    seeds: [hall, books, campus, shop].map((origin) => `${origin}/`),
    hosts,
    next,
    close: async () => {
      await Promise.all(hosts.map((host) => host.close()));
    },
  };
}

/** Some systems have 127.0.0.1 and no other; there another port makes another host. */
async function serveOn(address: string, pages: PageHandler): Promise<RunningSite> {
  return serveSite(pages, { address }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EADDRNOTAVAIL") throw error;
    return serveSite(pages);
  });
}
