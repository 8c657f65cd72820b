/** The result of a playground request. */
import { useEffect, useState } from "preact/hooks";
import { apiText, failure } from "../api.ts";
import type { Mode } from "../equivalent-calls.ts";
import { Facts } from "../parts/facts.tsx";
import { Markdown } from "../parts/markdown.tsx";
import { Empty, ErrorMessage } from "../parts/notice.tsx";
import { Tabs } from "../parts/tabs.tsx";
import { Link } from "../router.tsx";
import { count } from "../words.ts";
import { type Preview, PreviewResult } from "./preview-result.tsx";

export interface Outcome {
  readonly kind: Mode | "preview" | "site";
  readonly data: Readonly<Record<string, unknown>>;
}

interface Scraped {
  readonly finalUrl: string;
  readonly status: number;
  readonly renderedBy: string | null;
  readonly metadata?: Readonly<Record<string, { readonly value: unknown; readonly source: string; readonly confidence?: number }>>;
  readonly markdown?: string;
}

interface JobDone {
  readonly status: string;
  readonly error: { readonly detail: string } | null;
  readonly result: Readonly<Record<string, unknown>> | null;
}

export function PlayResult({ outcome: { kind, data } }: { readonly outcome: Outcome }) {
  return (
    <section aria-label="Result">
      <h2>Result</h2>
      <ResultView kind={kind} data={data} />
    </section>
  );
}

function ResultView({ kind, data }: Outcome) {
  if (kind === "preview") return <PreviewResult preview={data as unknown as Preview} />;
  if (kind === "site")
    return (
      <p>
        Saved. <Link to={`/pages?siteId=${data.id}`}>{String(data.url)}</Link>
      </p>
    );
  if (kind === "fetch" || kind === "enrich") return <ScrapeResult page={data as unknown as Scraped} />;
  const { status, error, result } = data as unknown as JobDone;
  if (error) return <ErrorMessage error={failure("It failed", error.detail)} />;
  if (result === null) return <Empty>It is {status} still: see Settings, Jobs.</Empty>;
  return kind === "map" ? <MapResult result={result} /> : <ContextResult id={Number(result.contextId)} />;
}

const asJson = (value: unknown) => <pre>{JSON.stringify(value, null, 2)}</pre>;
const valueText = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));

function ScrapeResult({ page }: { readonly page: Scraped }) {
  const fields = Object.entries(page.metadata ?? {});
  const metadata = () => (
    <table>
      <thead>
        <tr>
          <th>Field</th>
          <th>Value</th>
          <th>Source</th>
        </tr>
      </thead>
      <tbody>
        {fields.map(([name, { value, source }]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{valueText(value)}</td>
            <td>{source && <span class="badge">{source}</span>}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
  return (
    <>
      <Facts
        facts={[
          ["address", page.finalUrl] as const,
          ["status", String(page.status)] as const,
          ...(page.renderedBy ? [["shown by", page.renderedBy] as const] : []),
        ]}
      />
      <Tabs
        label="Forms of the page"
        tabs={[
          ...(page.markdown === undefined
            ? []
            : [{ id: "markdown", name: "Markdown", show: () => <Markdown text={page.markdown!} note="" /> }]),
          { id: "metadata", name: "Metadata", show: metadata },
          { id: "json", name: "JSON", show: () => asJson(page) },
        ]}
      />
    </>
  );
}

function MapResult({ result }: { readonly result: Readonly<Record<string, unknown>> }) {
  const urls = (result.urls ?? []) as readonly { url: string; title: string | null; depth: number; source: string }[];
  return (
    <>
      <p>{count(urls.length)} URLs</p>
      <div class="scroll tall">
        <table>
          <thead>
            <tr>
              <th>URL</th>
              <th>Text</th>
              <th class="number">Depth</th>
              <th>Heard from</th>
            </tr>
          </thead>
          <tbody>
            {urls.map(({ url, title, depth, source }) => (
              <tr key={url}>
                <td>
                  <Link to={`/playground?mode=fetch&url=${encodeURIComponent(url)}`}>{url}</Link>
                </td>
                <td>{title}</td>
                <td class="number">{depth}</td>
                <td>{source}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

function ContextResult({ id }: { readonly id: number }) {
  const [text, setText] = useState<string>();
  const [error, setError] = useState<Error>();
  useEffect(() => void apiText(`/contexts/${id}?format=markdown`).then(setText, setError), [id]);
  return text === undefined ? <ErrorMessage error={error} /> : <Markdown text={text} note={`context ${id}`} />;
}
