import { ErrorMessage } from "../../parts/notice.tsx";
import { useApi } from "../../use-api.ts";
import { count } from "../../words.ts";
import type { SiteGraph } from "../graph-view.tsx";

/** Number of pages at each depth, of those in the graph. */
export function DepthChart({ siteId }: { readonly siteId: number }) {
  const { data, error } = useApi<SiteGraph>(`/sites/${siteId}/graph?maxNodes=2000`);
  if (!data) return <ErrorMessage error={error} />;
  const depths = new Map<number, number>();
  for (const { depth } of data.nodes) depths.set(depth, (depths.get(depth) ?? 0) + 1);
  const max = Math.max(1, ...depths.values());
  return (
    <table class="depths">
      <caption class="faint">Pages by depth{data.isCut && ", of the first 2,000"}</caption>
      <tbody>
        {[...depths]
          .sort(([a], [b]) => a - b)
          .map(([depth, pages]) => (
            <tr key={depth}>
              <th scope="row">{depth}</th>
              <td>
                <meter min={0} max={max} value={pages} aria-label={`depth ${depth}`} />
              </td>
              <td class="number">{count(pages)}</td>
            </tr>
          ))}
      </tbody>
    </table>
  );
}
