import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openBenchServer } from "../src/features/bench/bench-server.ts";
import { again, type Contender, type Found, full, lean, peersOnRealPages, peersOnSmallPages, plain, type Task } from "./contenders.ts";
import type { Served } from "./measure.ts";
import { layOutManyHosts, layOutOneHost, openPages, type RealSite } from "./real-site.ts";
import { type Coding, openWebServer } from "./web-server.ts";

/** A site being served, with the crawl task. */
export interface OpenSite {
  /** Description of server and pages. */
  readonly about: string;
  readonly pages: number;
  readonly task: Task;
  served(): Served | Promise<Served>;
  close(): Promise<void>;
}

export interface Wish {
  readonly pages?: number | undefined;
  readonly pagesDir?: string | undefined;
  readonly coding: Coding;
}

/** A site, the contenders and the number of rounds: everything needed to reproduce a table of the report. */
export interface Scenario {
  readonly title: string;
  readonly rounds: number;
  contenders(): readonly Found[];
  open(wish: Wish): Promise<OpenSite>;
}

const HOSTS = 200;
const PAGES_A_HOST = 15;
const MOST_PAGES = 1500;
/** The same pages under two paths, so that a run is long enough to measure. */
const FOLDERS = ["a", "b"];

interface RealTask {
  readonly hosts: number;
  readonly connections: number;
  readonly perHost: number;
  readonly folders?: readonly string[];
  readonly hasTls?: boolean;
}

export async function openReal(real: RealTask, { pages, pagesDir, coding }: Wish): Promise<OpenSite> {
  const folders = real.folders ?? FOLDERS;
  const root = mkdtempSync(join(tmpdir(), "nuthatch-pages-"));
  chmodSync(root, 0o755); // the server's worker may run as another user
  const most = pages === undefined ? MOST_PAGES : Math.ceil(pages / (real.hosts === 1 ? folders.length : 1));
  const source = openPages({ folder: pagesDir, most });
  const each = pages === undefined ? PAGES_A_HOST : Math.max(1, Math.round(pages / real.hosts));
  const site: RealSite =
    real.hosts === 1 ? layOutOneHost(root, source, folders) : layOutManyHosts(root, source, { hosts: real.hosts, each });
  const server = await openWebServer({ site, coding, hasTls: real.hasTls ?? true });
  const { connections, perHost } = real;
  return {
    about: `${source.from}, served by ${server.name}`,
    pages: site.pages.size,
    task: { seeds: server.origins, connections, perHost, depth: site.depth, ca: server.ca },
    served: server.served,
    close: async () => {
      await server.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

interface SmallTask {
  readonly pages: number;
  readonly hosts?: number;
  readonly latency?: number;
  readonly connections?: number;
  readonly perHost?: number;
}

async function openSmall(small: SmallTask, wish: Wish): Promise<OpenSite> {
  const { hosts = 1, latency = 0, connections = 64, perHost = connections } = small;
  const pages = wish.pages === undefined ? small.pages : Math.ceil(wish.pages / hosts);
  const server = await openBenchServer({ pages, hosts, latency });
  return {
    about: `pages of 17 KB with 50 links each, plain HTTP, uncompressed${latency > 0 ? `, each answer ${latency} ms late` : ""}`,
    pages: pages * hosts,
    task: { seeds: server.origins, connections, perHost },
    served: async () => {
      const { cpuMicrosPerRequest, ...served } = await server.served();
      return { ...served, other: 0, connections: 0, uncompressed: 0, serverMs: cpuMicrosPerRequest / 1000 };
    },
    close: server.close,
  };
}

const ours: readonly Contender[] = [lean, plain, full];

const real = (rounds: number): readonly Scenario[] => [
  {
    title: "Real pages, one host, 16 connections",
    rounds,
    contenders: () => [...ours, ...peersOnRealPages()],
    open: (wish) => openReal({ hosts: 1, connections: 16, perHost: 16 }, wish),
  },
  {
    title: `Real pages, ${HOSTS} hosts, one connection each`,
    rounds,
    contenders: () => [...ours, ...peersOnRealPages()],
    open: (wish) => openReal({ hosts: HOSTS, connections: 64, perHost: 1 }, wish),
  },
];

const small = (pages: number, rounds: number): Scenario => ({
  title: "Small pages",
  rounds,
  contenders: () => [lean, plain, again, full, ...peersOnSmallPages()],
  open: (wish) => openSmall({ pages }, wish),
});

const apart = (rounds: number): readonly Scenario[] => [
  {
    title: "Small pages, 50 ms away, one host, 512 connections",
    rounds,
    contenders: () => [lean],
    open: (wish) => openSmall({ pages: 20_000, latency: 50, connections: 512 }, wish),
  },
  {
    title: "Small pages, 50 ms away, 500 hosts, one connection each",
    rounds,
    contenders: () => [lean],
    open: (wish) => openSmall({ pages: 40, hosts: 500, latency: 50, connections: 500, perHost: 1 }, wish),
  },
];

export const plans: Readonly<Record<string, readonly Scenario[]>> = {
  real: real(1),
  small: [small(3000, 3)],
  full: [...real(3), small(20_000, 3), ...apart(3)],
  scale: [
    {
      title: "Small pages, a large site",
      rounds: 1,
      contenders: () => [lean, plain],
      open: (wish) => openSmall({ pages: 200_000 }, wish),
    },
  ],
};

/** Order of the tables in the report. */
export const titles: readonly string[] = [...plans.full!, ...plans.scale!].map(({ title }) => title);
