/** The API request that returns the data of a screen. */
import { useRef } from "preact/hooks";
import { CopyText } from "./copy-text.tsx";

interface ApiCall {
  readonly path: string;
  readonly method?: string;
  readonly body?: unknown;
}

export function ApiButton(call: ApiCall) {
  const dialog = useRef<HTMLDialogElement>(null);
  return (
    <>
      <button type="button" class="quiet" onClick={() => dialog.current?.showModal()}>
        API
      </button>
      <dialog ref={dialog} aria-label="The same by API">
        <h2>The same by API</h2>
        <CopyText label="curl" text={asCurl(call)} />
        <CopyText label="TypeScript" text={asTypeScript(call)} />
        <form method="dialog">
          <button type="submit">Close</button>
        </form>
      </dialog>
    </>
  );
}

const urlOf = (path: string) => `${location.origin}/api/v1${path}`;

export function asCurl({ path, method = "GET", body }: ApiCall): string {
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  const how = method === "GET" ? "" : ` -X ${method}`;
  const what = body === undefined ? "" : ` -H 'content-type: application/json' -d ${quoted(JSON.stringify(body))}`;
  return `curl${how} ${quoted(urlOf(path))}${what}`;
}

export function asTypeScript({ path, method = "GET", body }: ApiCall): string {
  const options =
    method === "GET"
      ? ""
      : `, {\n  method: "${method}"${body === undefined ? "" : `,\n  headers: { "content-type": "application/json" },\n  body: JSON.stringify(${JSON.stringify(body)})`},\n}`;
  return `const response = await fetch(${JSON.stringify(urlOf(path))}${options});\nconst answer = await response.json();`;
}
