import type { App } from "../app.ts";
import type { GraphNode } from "../store/index.ts";

export interface SiteGraph {
  /** With how many of the others link to each. */
  readonly nodes: readonly (GraphNode & { readonly inlinks: number })[];
  readonly edges: readonly { readonly from: number; readonly to: number }[];
  /** Whether there are more pages than these. */
  readonly isCut: boolean;
}

/** The pages of a site that were found first, and how they hang together: by the page that named each first, or by all their links. */
export async function siteGraph(app: App, siteId: number, { maxNodes, all }: { maxNodes: number; all: boolean }): Promise<SiteGraph> {
  const found = await app.store.lists.graph(siteId, maxNodes + 1);
  const nodes = found.slice(0, maxNodes);
  const edges = all ? [] : parentEdges(nodes);
  const inlinks = new Map<number, number>();
  for await (const edge of edgesAmong(app, nodes)) {
    inlinks.set(edge.to, (inlinks.get(edge.to) ?? 0) + 1);
    if (all) edges.push(edge);
  }
  return { nodes: nodes.map((node) => ({ ...node, inlinks: inlinks.get(node.id) ?? 0 })), edges, isCut: found.length > maxNodes };
}

function parentEdges(nodes: readonly GraphNode[]): { from: number; to: number }[] {
  const ids = new Map(nodes.map(({ url, id }) => [url, id]));
  return nodes.flatMap(({ id, parentUrl }) => {
    const from = parentUrl === undefined ? undefined : ids.get(parentUrl);
    return from === undefined || from === id ? [] : [{ from, to: id }];
  });
}

/** By all the links of some pages to each other. */
export async function* edgesAmong({ store }: App, nodes: readonly GraphNode[]): AsyncGenerator<{ from: number; to: number }> {
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
