/** Metadata of a page, field by field, with the source of each value and the rejected candidates. */
import { useState } from "preact/hooks";
import { api } from "../../api.ts";
import { ErrorMessage } from "../../parts/notice.tsx";
import { useApi } from "../../use-api.ts";

interface Field {
  readonly value: unknown;
  readonly source: string;
  readonly confidence?: number;
  readonly candidates?: readonly { readonly source: string; readonly value: unknown; readonly rejected?: string }[];
}

/** Fields that can be set manually. */
const SETTABLE = new Set(["title", "description", "siteName", "image", "canonical", "author", "publishedAt", "modifiedAt", "lang"]);

const shown = (value: unknown): string =>
  Array.isArray(value)
    ? value.map((one) => (typeof one === "object" && one !== null && "name" in one ? String(one.name) : String(one))).join(", ")
    : typeof value === "object" && value !== null
      ? JSON.stringify(value)
      : String(value ?? "–");

export function PageMetadata({ id }: { readonly id: number }) {
  const { data, error, reload } = useApi<{ metadata: Record<string, Field>; isCurrent: boolean }>(`/pages/${id}/metadata`);
  const [saveError, setSaveError] = useState<Error>();
  if (!data) return <ErrorMessage error={error} />;
  const saveValue = (name: string, value: unknown) =>
    api(`/pages/${id}`, { method: "PATCH", body: { metadata: { [name]: value } } }).then(() => {
      setSaveError(undefined);
      reload();
    }, setSaveError);
  return (
    <div class="scroll">
      <ErrorMessage error={saveError} />
      <table class="metadata">
        <thead>
          <tr>
            <th>Field</th>
            <th>Value</th>
            <th>Source</th>
            <th class="number">Sure</th>
            <td />
          </tr>
        </thead>
        <tbody>
          {Object.entries(data.metadata).map(([name, field]) => (
            <Row key={name} name={name} field={field} onSay={(value) => void saveValue(name, value)} />
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

interface RowProps {
  readonly name: string;
  readonly field: Field;
  /** Sets a manual value; null removes it. */
  readonly onSay: (value: unknown) => void;
}

function Row({ name, field, onSay }: RowProps) {
  const [isOpen, setOpen] = useState(false);
  const { value, source, confidence } = field;
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>
        {isOpen ? <ValueForm name={name} value={value} onSay={onSay} onClose={() => setOpen(false)} /> : shown(value)}
        <Candidates field={field} />
      </td>
      <td>{source && <span class="badge">{source}</span>}</td>
      <td class="number">{confidence === undefined ? "" : `${Math.round(confidence * 100)} %`}</td>
      <td>
        {SETTABLE.has(name) && !isOpen && (
          <div class="actions tight" data-needs="write">
            <button type="button" class="quiet" aria-label={`Set ${name}`} onClick={() => setOpen(true)}>
              Set
            </button>
            {source === "manual" && (
              <button type="button" class="quiet" aria-label={`Take back ${name}`} onClick={() => onSay(null)}>
                Take back
              </button>
            )}
          </div>
        )}
      </td>
    </tr>
  );
}

interface ValueFormProps extends Pick<RowProps, "name" | "onSay"> {
  readonly value: unknown;
  readonly onClose: () => void;
}

function ValueForm({ name, value, onSay, onClose }: ValueFormProps) {
  const set = (event: SubmitEvent) => {
    event.preventDefault();
    const text = String(new FormData(event.currentTarget as HTMLFormElement).get("value"));
    onSay(name === "author" ? text.split(",").flatMap((one) => one.trim() || []) : text);
    onClose();
  };
  return (
    <form class="actions grows" onSubmit={set}>
      <input name="value" required aria-label={`A better ${name}`} defaultValue={value ? shown(value) : ""} />
      <button type="submit" class="main">
        Set
      </button>
      <button type="button" onClick={onClose}>
        Leave it
      </button>
    </form>
  );
}
