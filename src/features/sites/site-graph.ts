import type { App } from "../../engine/app.ts";
import type { GraphNode } from "../../store/index.ts";

export interface Edge {
  readonly from: number;
  readonly to: number;
}

export interface SiteGraph {
  /** Each with the number of nodes that link to it. */
  readonly nodes: readonly (GraphNode & { readonly inlinks: number })[];
  readonly edges: readonly Edge[];
  /** Whether pages were left out. */
  readonly isCut: boolean;
}

/** The first pages of a site and their edges: from the page that named each first, or all links. */
export async function siteGraph(app: App, siteId: number, { maxNodes, all }: { maxNodes: number; all: boolean }): Promise<SiteGraph> {
  const found = await app.store.lists.graph(siteId, maxNodes + 1);
  const nodes = found.slice(0, maxNodes);
  const links: Edge[] = [];
  const inlinks = new Map<number, number>();
  for await (const edge of edgesAmong(app, nodes)) {
    inlinks.set(edge.to, (inlinks.get(edge.to) ?? 0) + 1);
    links.push(edge);
  }
  const edges = all ? links : treeEdges(nodes, links);
  return { nodes: nodes.map((node) => ({ ...node, inlinks: inlinks.get(node.id) ?? 0 })), edges, isCut: found.length > maxNodes };
}

/** A tree: each page under the page that named it first; a page from a sitemap under the page of least depth that links to it. */
function treeEdges(nodes: readonly GraphNode[], links: readonly Edge[]): Edge[] {
  const ids = new Map(nodes.map(({ url, id }) => [url, id]));
  const above = new Map<number, number>();
  for (const { id, parentUrl } of nodes) {
    const from = parentUrl === undefined ? undefined : ids.get(parentUrl);
    if (from !== undefined && from !== id) above.set(id, from);
  }
  const linking = new Map<number, number[]>();
  for (const { from, to } of links) linking.set(to, [...(linking.get(to) ?? []), from]);
  const depths = new Map(nodes.map(({ id, depth }) => [id, depth]));
  for (const { id, depth } of nodes) {
    if (depth === 0 || above.has(id)) continue;
    const nearest = (linking.get(id) ?? []).sort((a, b) => depths.get(a)! - depths.get(b)! || a - b);
    const from = nearest.find((other) => !isBelow(other, id, above));
    if (from !== undefined) above.set(id, from);
  }
  return [...above].map(([to, from]) => ({ from, to }));
}

function isBelow(id: number, other: number, above: ReadonlyMap<number, number>): boolean {
  for (let at: number | undefined = id; at !== undefined; at = above.get(at)) if (at === other) return true;
  return false;
}

/** All links between these pages. */
export async function* edgesAmong({ store }: App, nodes: readonly GraphNode[]): AsyncGenerator<Edge> {
  const ids = new Map(nodes.map(({ hash, id }) => [`${hash.hi}.${hash.lo}`, id]));
  for (const { id: from } of nodes) {
    const index = (await store.packedLinks(from))?.index ?? new Uint8Array(0);
    const hashes = new Uint32Array(index.slice(0, 8 * Math.floor(index.length / 9)).buffer);
    const targets = new Set<number>();
    for (let at = 0; at < hashes.length; at += 2) {
      const to = ids.get(`${hashes[at]}.${hashes[at + 1]}`);
      if (to !== undefined && to !== from) targets.add(to);
    }
    for (const to of targets) yield { from, to };
  }
}
