import { type GraphEdge, type GraphPage, gexf, graphml } from "../../engine/formats/index.ts";
import { edgesAmong } from "../sites/site-graph.ts";
import type { StreamFormat } from "./export-formats.ts";
import { exportedSite } from "./export-site.ts";

/** More than programs that draw graphs can handle. */
const MAX_PAGES = 100_000;

type Write = (pages: Iterable<GraphPage>, edges: AsyncIterable<GraphEdge>) => AsyncIterable<string>;

/** The pages of a site and all links between them. */
const graphFormat = (write: Write): StreamFormat => ({
  writes: "stream",
  async *parts(app, { range, tally }) {
    const site = await exportedSite(app, range, "a graph");
    const pages = await app.store.lists.graph(site.id, MAX_PAGES);
    tally.written += pages.length;
    yield* write(pages, edgesAmong(app, pages));
  },
});

export const graphmlFormat = graphFormat(graphml);
export const gexfFormat = graphFormat(gexf);
