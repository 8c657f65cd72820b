import { useEffect, useState } from "preact/hooks";
import { api, type List } from "../api.ts";
import { Trouble } from "../parts/notice.tsx";
import { useApi } from "../use-api.ts";
import { placeOf } from "../words.ts";

interface Described {
  readonly paths: Readonly<
    Record<
      string,
      { post?: { requestBody?: { content: Record<string, { schema: { properties?: Record<string, { enum?: string[] }> } }> } } }
    >
  >;
}

/** What the server can write, as it describes itself. */
async function formatsOf(): Promise<readonly string[]> {
  const { paths } = (await (await fetch("/openapi.json")).json()) as Described;
  return paths["/api/v1/exports"]?.post?.requestBody?.content["application/json"]?.schema.properties?.format?.enum ?? ["jsonl", "csv"];
}

/** A file of what is stored, written in its own time. */
export function ExportForm() {
  const [formats, setFormats] = useState<readonly string[]>([]);
  const [error, setError] = useState<Error>();
  const sites = useApi<List<{ id: number; name: string; url: string }>>("/sites?limit=1000");
  useEffect(() => void formatsOf().then(setFormats, setError), []);
  const start = (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const siteId = Number(form.get("siteId"));
    const body = { format: form.get("format"), ...(siteId > 0 && { siteId }) };
    api("/exports", { method: "POST", body }).then(() => setError(undefined), setError);
  };
  return (
    <form class="bar" data-needs="write" aria-label="New file" onSubmit={start}>
      <label>
        Format
        <select name="format">
          {formats.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      <label>
        Site
        <select name="siteId">
          <option value="">all</option>
          {sites.data?.data.map(({ id, name, url }) => (
            <option key={id} value={id}>
              {name || placeOf(url)}
            </option>
          ))}
        </select>
      </label>
      <button type="submit" class="main">
        Write a file
      </button>
      <Trouble error={error} />
    </form>
  );
}
