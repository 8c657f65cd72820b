/** The text of a page, and its original body. */
import { useEffect, useState } from "preact/hooks";
import { apiText } from "../../api.ts";
import { Markdown } from "../../parts/markdown.tsx";
import { ErrorMessage } from "../../parts/notice.tsx";
import { useApi } from "../../use-api.ts";
import { bytes, count } from "../../words.ts";

const MAX_CHARS = 200_000;

interface Content {
  readonly text: string;
  readonly totalChars: number;
  readonly nextStart: number | null;
}

export function PageText({ id, most: maxChars = MAX_CHARS }: { readonly id: number; readonly most?: number }) {
  const { data, error } = useApi<Content>(`/pages/${id}/content?format=json&maxChars=${maxChars}`);
  if (!data) return <ErrorMessage error={error} />;
  return (
    <Markdown
      text={data.text}
      note={data.nextStart === null ? "" : `the first ${count(data.nextStart)} of ${count(data.totalChars)} characters`}
    />
  );
}

/** Control characters that do not occur in text. */
const isText = (body: string) => !/[\0-\x08\x0e-\x1a]/.test(body.slice(0, 10_000));

export function RawBody({ id, size }: { readonly id: number; readonly size: number }) {
  const [body, setBody] = useState<string>();
  const [error, setError] = useState<Error>();
  const path = `/pages/${id}/content?format=raw`;
  useEffect(() => {
    const abort = new AbortController();
    apiText(`${path}&maxChars=${MAX_CHARS}`, abort.signal).then(setBody, (cause: Error) => abort.signal.aborted || setError(cause));
    return () => abort.abort();
  }, [path]);
  return (
    <>
      <div class="table-tools">
        <span class="faint">{body !== undefined && size > MAX_CHARS && `the first ${bytes(MAX_CHARS)} of ${bytes(size)}`}</span>
        <a class="button quiet" href={`/api/v1${path}`} download="">
          All of it
        </a>
      </div>
      <ErrorMessage error={error} />
      {body !== undefined && <pre>{isText(body) ? body : "This is not text."}</pre>}
    </>
  );
}
