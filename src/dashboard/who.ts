/** The scope of the user: screens hide buttons that the server would refuse (see `data-needs` in style.css). */
import { api } from "./api.ts";
import { onReturn } from "./live.ts";

export interface Who {
  readonly version: string;
  readonly scope: "read" | "write" | "admin";
  readonly needsKey: boolean;
}

export const askWho = (): Promise<Who> => api<Who>("/version");

/** Sets the scope on the document, where style sheets use it. */
export function followWho(): () => void {
  const ask = () =>
    askWho().then(
      ({ scope }) => {
        document.documentElement.dataset.scope = scope;
      },
      () => undefined, // the screen shows that the server does not answer
    );
  void ask();
  return onReturn(() => void ask());
}
