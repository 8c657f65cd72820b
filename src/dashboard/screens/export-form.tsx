import { useEffect, useState } from "preact/hooks";
import { api, type List, openApi } from "../api.ts";
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

interface Choices {
  readonly formats: readonly string[];
  readonly whats: readonly string[];
}

/** Formats and kinds the server can export, from its OpenAPI document. */
async function choicesOf(): Promise<Choices> {
  const { paths } = await openApi<Described>();
  const fields = paths["/api/v1/exports"]?.post?.requestBody?.content["application/json"]?.schema.properties;
  return { formats: fields?.format?.enum ?? ["jsonl", "csv"], whats: fields?.what?.enum ?? ["pages"] };
}

/** Starts an export of stored data as a background job. */
export function ExportForm() {
  const [{ formats, whats }, setChoices] = useState<Choices>({ formats: [], whats: [] });
  const [error, setError] = useState<Error>();
  const sites = useApi<List<{ id: number; name: string; url: string }>>("/sites?limit=1000");
  useEffect(() => void choicesOf().then(setChoices, setError), []);
  const start = (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const siteId = Number(form.get("siteId"));
    const since = String(form.get("since")).trim();
    const body = {
      format: form.get("format"),
      ...(form.get("what") !== "" && { what: form.get("what") }),
      ...(siteId > 0 && { siteId }),
      ...(since !== "" && { filter: { since } }),
      ...(form.has("gz") && { compress: "gz" }),
    };
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
      <label>
        What
        <select name="what">
          <option value="">what the format is for</option>
          {whats.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      <label>
        Since <input name="since" placeholder="7d, a date or a run" />
      </label>
      <label>
        <input type="checkbox" name="gz" />
        compressed (gz)
      </label>
      <button type="submit" class="main">
        Write a file
      </button>
      <Trouble error={error} />
    </form>
  );
}
