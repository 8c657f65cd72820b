/** What whoever looks may do: screens leave out the buttons that would only be refused (see `data-needs` in style.css). */
import { api } from "./api.ts";
import { onReturn } from "./live.ts";

export interface Who {
  readonly version: string;
  readonly scope: "read" | "write" | "admin";
  readonly needsKey: boolean;
}

export const askWho = (): Promise<Who> => api<Who>("/version");

/** Said on the document, where style sheets read it. */
export function followWho(): () => void {
  const ask = () =>
    askWho().then(
      ({ scope }) => {
        document.documentElement.dataset.scope = scope;
      },
      () => undefined, // the screen itself says that the server does not answer
    );
  void ask();
  return onReturn(() => void ask());
}
