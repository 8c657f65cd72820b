/** Pages and their links, in formats for graph programs. */
import { xmlText } from "./xml.ts";

export interface GraphPage {
  readonly id: number;
  readonly url: string;
  readonly title: string | null | undefined;
  readonly depth: number;
  readonly status: number;
  readonly change: string;
}

export interface GraphEdge {
  readonly from: number;
  readonly to: number;
}

type Edges = Iterable<GraphEdge> | AsyncIterable<GraphEdge>;

const FIELDS = [
  ["url", "string", ({ url }: GraphPage) => url],
  ["depth", "int", ({ depth }: GraphPage) => String(depth)],
  ["status", "int", ({ status }: GraphPage) => String(status)],
  ["change", "string", ({ change }: GraphPage) => change],
] as const;

const labelOf = ({ title, url }: GraphPage) => xmlText(title || url);

/** GraphML, for Gephi, Cytoscape, yEd and NetworkX. */
export async function* graphml(pages: Iterable<GraphPage>, edges: Edges): AsyncGenerator<string> {
  const key = (name: string, type: string) => `<key id="${name}" for="node" attr.name="${name}" attr.type="${type}"/>\n`;
  yield `<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n`;
  yield `${key("label", "string")}${FIELDS.map(([name, type]) => key(name, type)).join("")}<graph edgedefault="directed">\n`;
  for (const page of pages) {
    const data = FIELDS.map(([name, , read]) => `<data key="${name}">${xmlText(read(page))}</data>`).join("");
    yield `<node id="n${page.id}"><data key="label">${labelOf(page)}</data>${data}</node>\n`;
  }
  for await (const { from, to } of edges) yield `<edge source="n${from}" target="n${to}"/>\n`;
  yield "</graph>\n</graphml>\n";
}

/** GEXF 1.3, Gephi's own format. */
export async function* gexf(pages: Iterable<GraphPage>, edges: Edges): AsyncGenerator<string> {
  const types = { string: "string", int: "integer" } as const;
  const attributes = FIELDS.map(([name, type]) => `<attribute id="${name}" title="${name}" type="${types[type]}"/>`).join("");
  yield `<?xml version="1.0" encoding="UTF-8"?>\n<gexf xmlns="http://gexf.net/1.3" version="1.3">\n<meta><creator>nuthatch</creator></meta>\n`;
  yield `<graph defaultedgetype="directed">\n<attributes class="node">${attributes}</attributes>\n<nodes>\n`;
  for (const page of pages) {
    const values = FIELDS.map(([name, , read]) => `<attvalue for="${name}" value="${xmlText(read(page))}"/>`).join("");
    yield `<node id="${page.id}" label="${labelOf(page)}"><attvalues>${values}</attvalues></node>\n`;
  }
  yield "</nodes>\n<edges>\n";
  let id = 0;
  for await (const { from, to } of edges) yield `<edge id="${id++}" source="${from}" target="${to}"/>\n`;
  yield "</edges>\n</graph>\n</gexf>\n";
}
