import type { ComponentChildren } from "preact";
import { ApiError } from "../api.ts";

/** What went wrong, and what to do about it. */
export function Trouble({ error }: { readonly error: Error | undefined }) {
  if (!error) return null;
  const problem = error instanceof ApiError ? error.problem : undefined;
  return (
    <div class="trouble" role="alert">
      <strong>{problem?.title ?? "The server does not answer"}</strong>
      <p>{error.message}</p>
      {problem?.suggestion && <p class="faint">{problem.suggestion}</p>}
    </div>
  );
}

/** Nothing here yet, and the command that changes that. */
export function Empty({ children, command }: { readonly children: ComponentChildren; readonly command?: string | undefined }) {
  return (
    <div class="empty">
      <p>{children}</p>
      {command && <code class="command">{command}</code>}
    </div>
  );
}
