/** What a page says about itself, field by field: where each value stood, and what else was offered. */
import { Trouble } from "../parts/notice.tsx";
import { useApi } from "../use-api.ts";

interface Field {
  readonly value: unknown;
  readonly source: string;
  readonly confidence?: number;
  readonly candidates?: readonly { readonly source: string; readonly value: unknown; readonly rejected?: string }[];
}

const shown = (value: unknown): string =>
  Array.isArray(value)
    ? value.map((one) => (typeof one === "object" && one !== null && "name" in one ? String(one.name) : String(one))).join(", ")
    : typeof value === "object" && value !== null
      ? JSON.stringify(value)
      : String(value ?? "–");

export function PageMetadata({ id }: { readonly id: number }) {
  const { data, error } = useApi<{ metadata: Record<string, Field>; isCurrent: boolean }>(`/pages/${id}/metadata`);
  if (!data) return <Trouble error={error} />;
  return (
    <div class="scroll">
      <table class="metadata">
        <thead>
          <tr>
            <th>Field</th>
            <th>Value</th>
            <th>Source</th>
            <th class="number">Sure</th>
          </tr>
        </thead>
        <tbody>
          {Object.entries(data.metadata).map(([name, field]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>
                {shown(field.value)}
                <Candidates field={field} />
              </td>
              <td>{field.source && <span class="badge">{field.source}</span>}</td>
              <td class="number">{field.confidence === undefined ? "" : `${Math.round(field.confidence * 100)} %`}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Candidates({ field: { candidates = [] } }: { readonly field: Field }) {
  if (candidates.length === 0) return null;
  return (
    <details>
      <summary class="faint small">{candidates.length} more offered</summary>
      <ol>
        {candidates.map(({ source, value, rejected }, at) => (
          <li key={String(at)}>
            <span class="badge">{source}</span> {shown(value)} {rejected && <em class="bad-text">{rejected}</em>}
          </li>
        ))}
      </ol>
    </details>
  );
}
