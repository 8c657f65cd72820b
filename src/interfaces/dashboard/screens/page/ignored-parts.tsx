/** Ignored parts of a site, and how to include them again. */
import { useState } from "preact/hooks";
import { api } from "../../api.ts";
import { ErrorMessage } from "../../parts/notice.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { Link } from "../../router.tsx";
import type { LoadedList } from "../../use-api.ts";
import { count } from "../../words.ts";

export interface IgnoredPart {
  readonly id: number;
  readonly pageId: number | null;
  readonly kind: string;
  readonly value: string;
  readonly madeAt: string;
}

interface PartsProps {
  readonly siteId: number;
  readonly list: LoadedList<IgnoredPart>;
  readonly onChange: () => void;
}

export function IgnoredParts({ siteId, list, onChange }: PartsProps) {
  const [error, setError] = useState<Error>();
  if (list.rows.length === 0) return null;
  const unignore = (id: number) => api(`/sites/${siteId}/ignored/${id}`, { method: "DELETE" }).then(onChange, setError);
  const columns: readonly Column<IgnoredPart>[] = [
    { name: "Text", cell: ({ value }) => value },
    { name: "As", cell: ({ kind }) => (kind === "text" ? "these words" : "pattern") },
    { name: "Where", cell: ({ pageId }) => (pageId === null ? "everywhere" : <Link to={`/pages/${pageId}`}>one page</Link>) },
    { name: "Since", cell: ({ madeAt }) => <Time at={madeAt} /> },
    {
      name: "",
      cell: ({ id, value }) => (
        <button type="button" class="quiet" data-needs="write" aria-label={`Heed again: ${value}`} onClick={() => void unignore(id)}>
          Heed again
        </button>
      ),
    },
  ];
  return (
    <details class="ignored">
      <summary>Ignored on this site: {count(list.rows.length)}</summary>
      <ErrorMessage error={error} />
      <Table
        label="Ignored parts"
        columns={columns}
        list={list}
        keyOf={({ id }) => id}
        path={`/sites/${siteId}/ignored`}
        hasKeys={false}
        empty={null}
      />
    </details>
  );
}
