import { useEffect, useState } from "preact/hooks";
import { api, type List, openApi } from "../api.ts";
import { ErrorMessage } from "../parts/notice.tsx";
import { useApi } from "../use-api.ts";
import { siteLabel } from "../words.ts";

interface OpenApiPaths {
  readonly paths: Readonly<
    Record<
      string,
      { post?: { requestBody?: { content: Record<string, { schema: { properties?: Record<string, { enum?: string[] }> } }> } } }
    >
  >;
}

interface Choices {
  readonly formats: readonly string[];
  readonly recordKinds: readonly string[];
}

/** Formats and kinds the server can export, from its OpenAPI document. */
async function choicesOf(): Promise<Choices> {
  const { paths } = await openApi<OpenApiPaths>();
  const fields = paths["/api/v1/exports"]?.post?.requestBody?.content["application/json"]?.schema.properties;
  return { formats: fields?.format?.enum ?? ["jsonl", "csv"], recordKinds: fields?.what?.enum ?? ["pages"] };
}

/** Starts an export of stored data as a background job. */
export function ExportForm() {
  const [{ formats, recordKinds }, setChoices] = useState<Choices>({ formats: [], recordKinds: [] });
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
              {name || siteLabel(url)}
            </option>
          ))}
        </select>
      </label>
      <label>
        What
        <select name="what">
          <option value="">what the format is for</option>
          {recordKinds.map((name) => (
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
      <ErrorMessage error={error} />
    </form>
  );
}
