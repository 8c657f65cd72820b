/** Why URLs were skipped: reason, then rule, then the URLs. */
import { queryText } from "../../api.ts";
import { Empty, ErrorMessage } from "../../parts/notice.tsx";
import { Table } from "../../parts/table.tsx";
import { Link, useLocation, withQuery } from "../../router.tsx";
import { useApi, useList } from "../../use-api.ts";
import { count } from "../../words.ts";
import { Share } from "./crawl-hosts.tsx";
import { type DecisionRow, decisionColumns } from "./crawl-lists.tsx";

interface Group {
  readonly reason: string;
  /** Explains the reason. */
  readonly sentence: string;
  readonly rule: string;
  readonly count: number;
}

interface Reason extends Pick<Group, "reason" | "sentence"> {
  count: number;
  readonly rules: Group[];
}

/** Rules grouped by reason, most frequent reason first. */
export function byReason(groups: readonly Group[]): Reason[] {
  const found = new Map<string, Reason>();
  for (const group of groups) {
    const one = found.get(group.reason) ?? { reason: group.reason, sentence: group.sentence, count: 0, rules: [] };
    one.count += group.count;
    one.rules.push(group);
    found.set(group.reason, one);
  }
  return [...found.values()].sort((a, b) => b.count - a.count);
}

export function Skipped({ runId }: { readonly runId: number }) {
  const place = useLocation();
  const base = `/crawls/${runId}/decisions`;
  const { data, error, isLoading } = useApi<{ data: readonly Group[] }>(`${base}?verdict=skipped&groupBy=reason,rule&limit=500`);
  const reasons = byReason(data?.data ?? []);
  const reason = place.query.get("reason") ?? reasons[0]?.reason;
  const rule = place.query.get("rule") ?? undefined;
  const path = reason && `${base}${queryText({ verdict: "skipped", reason, rule })}`;
  const list = useList<DecisionRow>(path);
  const max = reasons[0]?.count ?? 0;
  if (reasons.length === 0 && !isLoading) return error ? <ErrorMessage error={error} /> : <Empty>Nothing was left out.</Empty>;
  return (
    <div class="two wide">
      <ul class="choices reasons" aria-label="Reasons">
        {reasons.map((one) => (
          <li key={one.reason} class={one.reason === reason ? "at" : ""}>
            <Link
              to={withQuery(place, { reason: one.reason, rule: "" })}
              aria-current={one.reason === reason && rule === undefined ? "page" : undefined}
            >
              <span>
                {one.sentence} <span class="faint small">{one.reason}</span>
              </span>
              <Share value={one.count} max={max} />
            </Link>
            {one.reason === reason && (
              <ul class="tree">
                {one.rules
                  .filter((group) => group.rule !== "")
                  .map((group) => (
                    <li key={group.rule}>
                      <Link
                        to={withQuery(place, { reason: one.reason, rule: group.rule })}
                        aria-current={group.rule === rule ? "page" : undefined}
                      >
                        {count(group.count)} · {group.rule}
                      </Link>
                    </li>
                  ))}
              </ul>
            )}
          </li>
        ))}
      </ul>
      <Table
        label="Skipped URLs"
        columns={decisionColumns}
        list={list}
        keyOf={({ id }) => id}
        path={path ?? base}
        empty={<Empty>Nothing was left out for this reason.</Empty>}
      />
    </div>
  );
}
