/** The scope of the user: screens hide buttons that the server would refuse (see `data-needs` in style.css). */
import { api } from "./api.ts";
import { onReconnect } from "./live.ts";

export interface AccessInfo {
  readonly version: string;
  readonly scope: "read" | "write" | "admin";
  readonly needsKey: boolean;
}

export const fetchAccess = (): Promise<AccessInfo> => api<AccessInfo>("/version");

/** Sets the scope on the document, where style sheets use it. */
export function watchAccess(): () => void {
  const ask = () =>
    fetchAccess().then(
      ({ scope }) => {
        document.documentElement.dataset.scope = scope;
      },
      () => undefined, // the screen shows that the server does not answer
    );
  void ask();
  return onReconnect(() => void ask());
}
