import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { ApiError } from "../api.ts";

/** An error and what to do about it. */
export function ErrorMessage({ error }: { readonly error: Error | undefined }) {
  if (!error) return null;
  const problem = error instanceof ApiError ? error.problem : undefined;
  return (
    <div class="trouble" role="alert">
      <strong>{problem?.title ?? "That did not work"}</strong>
      <p>{error.message}</p>
      {problem?.suggestion && <p class="faint">{problem.suggestion}</p>}
    </div>
  );
}

let displayError: (error: Error) => void = () => undefined;

/** Shows an error at the top of the screen, for places without room for it, such as a table row. */
export const showError = (error: Error): void => displayError(error);

export function ErrorBanner({ path }: { readonly path: string }) {
  const [error, setError] = useState<Error>();
  useEffect(() => {
    displayError = setError;
  }, []);
  useEffect(() => setError(undefined), [path]);
  if (!error) return null;
  return (
    <div class="told">
      <ErrorMessage error={error} />
      <button type="button" class="quiet" onClick={() => setError(undefined)}>
        Close
      </button>
    </div>
  );
}

/** An empty state, with the command that changes it. */
export function Empty({ children, command }: { readonly children: ComponentChildren; readonly command?: string | undefined }) {
  return (
    <div class="empty">
      <p>{children}</p>
      {command && <code class="command">{command}</code>}
    </div>
  );
}
