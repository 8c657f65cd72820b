/** Versions of a page, and the difference between two of them. */
import { queryText } from "../../api.ts";
import { ErrorMessage } from "../../parts/notice.tsx";
import { Table } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import type { PageDiff } from "../../records.ts";
import { Link, navigate, useLocation, withQuery } from "../../router.tsx";
import { useApi, useList } from "../../use-api.ts";
import { count } from "../../words.ts";
import { IgnorableDiff } from "./ignorable-diff.tsx";

interface VersionRow {
  readonly version: number;
  readonly crawlId: number;
  readonly fetchedAt: string;
  readonly wordCount: number;
  readonly linkCount: number;
  readonly hasBody: boolean;
}

export function Versions({ id, siteId }: { readonly id: number; readonly siteId: number }) {
  const { query } = useLocation();
  const path = `/pages/${id}/versions`;
  const list = useList<VersionRow>(path);
  const [now, before] = list.rows;
  const to = query.get("to") ?? String(now?.version ?? "");
  const from = query.get("from") ?? String(before?.version ?? "");
  const { data: diff, error, reload } = useApi<PageDiff>(now && before ? `/pages/${id}/diff${queryText({ from, to })}` : undefined);
  return (
    <>
      <Table
        label="Versions"
        path={path}
        list={list}
        keyOf={({ version }) => version}
        empty={<p class="empty">No version is stored.</p>}
        columns={[
          { name: "Version", isNumber: true, cell: ({ version }) => version },
          { name: "First seen", cell: ({ fetchedAt }) => <Time at={fetchedAt} /> },
          { name: "Run", cell: ({ crawlId }) => <Link to={`/crawls/${crawlId}`}>{`run ${crawlId}`}</Link> },
          { name: "Words", isNumber: true, cell: ({ wordCount }) => count(wordCount) },
          { name: "Links", isNumber: true, cell: ({ linkCount }) => count(linkCount) },
          { name: "Body", cell: ({ hasBody }) => (hasBody ? "stored" : "not stored") },
        ]}
      />
      {list.rows.length > 2 && (
        <div class="bar">
          <VersionPicker label="From" name="from" value={from} versions={list.rows} />
          <VersionPicker label="To" name="to" value={to} versions={list.rows} />
        </div>
      )}
      <ErrorMessage error={error} />
      {diff && <IgnorableDiff diff={diff} siteId={siteId} pageId={id} onDone={reload} />}
    </>
  );
}

interface PickerProps {
  readonly label: string;
  readonly name: "from" | "to";
  readonly value: string;
  readonly versions: readonly VersionRow[];
}

function VersionPicker({ label, name, value, versions }: PickerProps) {
  const place = useLocation();
  return (
    <label>
      {label}
      <select value={value} onChange={(event) => navigate(withQuery(place, { [name]: event.currentTarget.value }), "replace")}>
        {versions.map(({ version, crawlId }) => (
          <option key={version} value={version}>
            version {version}, run {crawlId}
          </option>
        ))}
      </select>
    </label>
  );
}
