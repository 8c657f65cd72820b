/** Loaded on first use: sigma draws the graph, ForceAtlas2 places the nodes. */
import Graph from "graphology";
import forceAtlas2 from "graphology-layout-forceatlas2";
import Sigma from "sigma";
import { type ColourMode, colourOf } from "../graph-colours.ts";
import { pathOf } from "../words.ts";
import type { SiteGraph } from "./graph-view.tsx";

const ITERATIONS = 200;
export function drawGraph(box: HTMLElement, { nodes, edges }: SiteGraph, by: ColourMode, onClick: (id: number) => void): () => void {
  const style = getComputedStyle(box);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const graph = new Graph({ type: "directed" });
  for (const [at, node] of nodes.entries()) {
    // Start positions on a spiral, so that the same site is always drawn the same way.
    const angle = at * 2.4;
    graph.addNode(node.id, {
      label: node.title || pathOf(node.url),
      size: 4 + Math.min(12, Math.sqrt(node.inlinks)),
      color: colour(colourOf(node, by)),
      x: Math.sqrt(at) * Math.cos(angle),
      y: Math.sqrt(at) * Math.sin(angle),
    });
  }
  for (const { from, to } of edges)
    if (graph.hasNode(from) && graph.hasNode(to) && !graph.hasEdge(from, to))
      graph.addEdge(from, to, { color: colour("--idle"), size: 0.7 });
  forceAtlas2.assign(graph, {
    iterations: ITERATIONS,
    settings: { ...forceAtlas2.inferSettings(graph), barnesHutOptimize: nodes.length > 500 },
  });
  const sigma = new Sigma(graph, box, {
    labelColor: { color: colour("--ink") },
    // Fewer labels than would fit, because overlapping labels are unreadable. Zooming in shows more.
    labelRenderedSizeThreshold: 6,
    labelDensity: 0.5,
    labelGridCellSize: 140,
    allowInvalidContainer: true,
  });
  sigma.on("clickNode", ({ node }) => onClick(Number(node)));
  return () => sigma.kill();
}
