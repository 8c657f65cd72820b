/**
 * The pages found first, each linked to the page it was found on. At most two thousand, which is the API's limit: larger graphs are
 * unreadable.
 */
import { useEffect, useRef } from "preact/hooks";
import { COLOUR_MODES, legendOf } from "../graph-colours.ts";
import { ErrorMessage } from "../parts/notice.tsx";
import { navigate, useLocation, withQuery } from "../router.tsx";
import { useApi } from "../use-api.ts";
import { count, pathOf } from "../words.ts";

export interface SiteGraph {
  readonly nodes: readonly {
    readonly id: number;
    readonly url: string;
    readonly title: string | null;
    readonly depth: number;
    readonly status: number;
    readonly change: string;
    readonly score: number;
    readonly inlinks: number;
  }[];
  readonly edges: readonly { readonly from: number; readonly to: number }[];
  readonly isCut: boolean;
}

export function GraphView({ siteId }: { readonly siteId: number }) {
  const place = useLocation();
  const colour = COLOUR_MODES.find((name) => name === place.query.get("colour")) ?? "depth";
  const root = Number(place.query.get("root")) || undefined;
  const { data, error } = useApi<SiteGraph>(`/sites/${siteId}/graph?maxNodes=2000`);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!data || !box.current) return;
    let end: (() => void) | undefined;
    let isGone = false;
    void import("./draw-graph.ts").then(({ drawGraph }) => {
      if (isGone || !box.current) return;
      end = drawGraph(box.current, subtreeOf(data, root), colour, (id) => navigate(withQuery(place, { root: String(id) })));
    });
    return () => {
      isGone = true;
      end?.();
    };
  }, [data, colour, root]);
  return (
    <>
      <div class="bar">
        <label>
          Colour by
          <select value={colour} onChange={(event) => navigate(withQuery(place, { colour: event.currentTarget.value }), "replace")}>
            {COLOUR_MODES.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        <span class="legend">
          {legendOf(colour).map(([name, of]) => (
            <span key={name} class="key">
              <i style={{ background: `var(${of})` }} /> {name}
            </span>
          ))}
        </span>
        {root !== undefined && (
          <button type="button" onClick={() => navigate(withQuery(place, { root: "" }))}>
            Whole site
          </button>
        )}
        <span class="faint">
          {data &&
            `${count(data.nodes.length)} pages${data.isCut ? ", those found first" : ""}; larger: more pages link to it; a click begins from there`}
        </span>
      </div>
      <ErrorMessage error={error} />
      <div
        ref={box}
        class="graph"
        role="img"
        aria-label={data ? `Graph of ${data.nodes.length} pages; the table below says the same` : "Graph"}
      />
      {data && (
        <details>
          <summary>The same as a list</summary>
          <NodeList nodes={subtreeOf(data, root).nodes} />
        </details>
      )}
    </>
  );
}

const MAX_LISTED = 200;

const NodeList = ({ nodes }: Pick<SiteGraph, "nodes">) => (
  <ul>
    {nodes.slice(0, MAX_LISTED).map(({ id, url, depth }) => (
      <li key={id}>
        {"– ".repeat(Math.min(10, depth))}
        {pathOf(url)}
      </li>
    ))}
    {nodes.length > MAX_LISTED && (
      <li class="faint">
        The first {count(MAX_LISTED)} of {count(nodes.length)}. GraphML and GEXF have all of them.
      </li>
    )}
  </ul>
);

/** The page and all its descendants. */
function subtreeOf(graph: SiteGraph, root: number | undefined): SiteGraph {
  if (root === undefined) return graph;
  const children = new Map<number, number[]>();
  for (const { from, to } of graph.edges) children.set(from, [...(children.get(from) ?? []), to]);
  const kept = new Set([root]);
  for (const id of kept) for (const child of children.get(id) ?? []) kept.add(child);
  return {
    ...graph,
    nodes: graph.nodes.filter(({ id }) => kept.has(id)),
    edges: graph.edges.filter(({ from, to }) => kept.has(from) && kept.has(to)),
  };
}
