/** Screen 6: the folders of a site, the graph of its pages, and their depth. */
import { useState } from "preact/hooks";
import { queryText } from "../api.ts";
import { ApiButton } from "../parts/api-button.tsx";
import { ErrorMessage } from "../parts/notice.tsx";
import { SitePicker, SiteScreen } from "../parts/site-picker.tsx";
import { Tabs } from "../parts/tabs.tsx";
import { Link } from "../router.tsx";
import { useApi } from "../use-api.ts";
import { count } from "../words.ts";
import { DepthChart } from "./crawl/depth-chart.tsx";
import { GraphView } from "./graph-view.tsx";

export const Structure = () => (
  <SiteScreen
    title="Structure"
    show={({ sites, site }) => (
      <>
        <div class="bar">
          <SitePicker sites={sites} site={site} />
          <GraphFiles siteId={site.id} />
        </div>
        <Tabs
          label="Pictures of the site"
          tabs={[
            { id: "tree", name: "Folders", show: () => <Tree siteId={site.id} prefix="" /> },
            { id: "graph", name: "Graph", show: () => <GraphView siteId={site.id} /> },
            { id: "depth", name: "Depth", show: () => <DepthChart siteId={site.id} /> },
          ]}
        />
      </>
    )}
  />
);

/** Downloads for graph programs, which can draw more than a browser. */
const GraphFiles = ({ siteId }: { readonly siteId: number }) => (
  <div class="actions tight">
    {["gexf", "graphml"].map((format) => (
      <a
        key={format}
        class="button quiet"
        href={`/api/v1/sites/${siteId}/graph?maxNodes=2000&format=${format}`}
        download={`site-${siteId}.${format}`}
      >
        {format === "gexf" ? "GEXF" : "GraphML"}
      </a>
    ))}
    <ApiButton path={`/sites/${siteId}/graph`} />
  </div>
);

interface Branch {
  readonly prefix: string;
  readonly pages: number;
  readonly hasMore: boolean;
  readonly status: Readonly<Record<string, number>>;
  readonly changed: number;
  readonly gone: number;
  readonly high: number;
  /** Set if the branch is a single page. */
  readonly pageId: number | null;
}

/** A folder may contain tens of thousands of entries, which a browser draws slowly. */
const STEP = 200;

/** One level at a time: a closed folder is not requested. */
function Tree({ siteId, prefix }: { readonly siteId: number; readonly prefix: string }) {
  const { data, error, isLoading } = useApi<{ data: readonly Branch[] }>(`/sites/${siteId}/tree${queryText({ prefix })}`);
  const [limit, setLimit] = useState(STEP);
  if (error) return <ErrorMessage error={error} />;
  if (isLoading && !data) return <p class="faint">loading…</p>;
  return (
    <ul class="tree">
      {data?.data.slice(0, limit).map((branch) => (
        <FolderRow key={branch.prefix} siteId={siteId} branch={branch} above={prefix} isOnlyChild={data.data.length === 1} />
      ))}
      {data && data.data.length > limit && (
        <li class="faint">
          The first {count(limit)} of {count(data.data.length)}, those with most pages first.{" "}
          <button type="button" class="quiet" onClick={() => setLimit(limit + STEP)}>
            Show more
          </button>
        </li>
      )}
    </ul>
  );
}

interface FolderRowProps {
  readonly siteId: number;
  readonly branch: Branch;
  readonly above: string;
  /** True for an only child, which is opened at once. */
  readonly isOnlyChild: boolean;
}

function FolderRow({ siteId, branch, above, isOnlyChild }: FolderRowProps) {
  const [isOpen, setOpen] = useState(isOnlyChild && branch.hasMore);
  const name = branch.prefix.slice(above.length) || "/";
  return (
    <li>
      <div class="twig">
        {branch.hasMore ? (
          <button type="button" class="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? "▾" : "▸"} {name}
          </button>
        ) : (
          <Link to={branch.pageId === null ? `/pages${queryText({ siteId, contains: branch.prefix })}` : `/pages/${branch.pageId}`}>
            {name}
          </Link>
        )}
        <StatusBar status={branch.status} />
        <span class="faint small">
          {count(branch.pages)} {branch.pages === 1 ? "page" : "pages"}
          {branch.changed > 0 && ` · ${count(branch.changed)} changed`}
          {branch.gone > 0 && ` · ${count(branch.gone)} gone`}
          {branch.high > 0 && ` · ${count(branch.high)} high-value`}
        </span>
      </div>
      {isOpen && <Tree siteId={siteId} prefix={branch.prefix} />}
    </li>
  );
}

const CLASSES = ["2xx", "3xx", "4xx", "5xx"];

function StatusBar({ status }: { readonly status: Branch["status"] }) {
  const all = Math.max(
    1,
    CLASSES.reduce((sum, name) => sum + (status[name] ?? 0), 0),
  );
  const label = CLASSES.filter((name) => status[name])
    .map((name) => `${name} ${status[name]}`)
    .join(", ");
  return (
    <svg class="status-bar" viewBox="0 0 100 8" width="80" height="8" role="img" aria-label={label} preserveAspectRatio="none">
      <title>{label}</title>
      {CLASSES.map((name, at) => {
        const x = CLASSES.slice(0, at).reduce((sum, before) => sum + ((status[before] ?? 0) / all) * 100, 0);
        return <rect key={name} class={`class-${name}`} x={x} width={((status[name] ?? 0) / all) * 100} height="8" />;
      })}
    </svg>
  );
}
