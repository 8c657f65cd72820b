/** Loads a screen's file on demand; shows an error if loading or rendering fails. */
import { Component, type ComponentChildren, type ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { api, failure } from "../api.ts";
import { onReconnect } from "../live.ts";
import { ErrorMessage } from "./notice.tsx";

export type Screen = ComponentType<{ readonly params: Readonly<Record<string, string>> }>;

interface LoadedProps {
  readonly load: () => Promise<Screen>;
  readonly params: Readonly<Record<string, string>>;
}

export function LoadedScreen({ load, params }: LoadedProps) {
  const [loaded, setLoaded] = useState<{ readonly Screen: Screen }>();
  const [error, setError] = useState<Error>();
  useEffect(() => {
    load().then(
      (Screen) => {
        sessionStorage.removeItem(RELOADED_KEY);
        setLoaded({ Screen });
      },
      () => setError(failure("The server does not answer", "This screen could not be loaded. It is loaded when the server is back.")),
    );
  }, []);
  useEffect(() => {
    if (!error) return;
    api("/version").then(reloadOnce, () => undefined); // loading failed earlier, and the server may have returned since
    return onReconnect(reloadOnce);
  }, [error]);
  if (error) return <ErrorMessage error={error} />;
  if (!loaded) return <p class="faint">loading…</p>;
  return (
    <Boundary>
      <loaded.Screen params={params} />
    </Boundary>
  );
}

const RELOADED_KEY = "nuthatch.loaded-again";

/**
 * Browsers cache a failed import, and a newer server has other file names, so only a reload helps. At most once per URL: a missing file
 * stays missing.
 */
function reloadOnce(): void {
  if (sessionStorage.getItem(RELOADED_KEY) === location.href) return;
  sessionStorage.setItem(RELOADED_KEY, location.href);
  location.reload();
}

class Boundary extends Component<{ readonly children: ComponentChildren }, { readonly error?: Error }> {
  override componentDidCatch(error: Error): void {
    console.error(error);
    this.setState({ error });
  }
  override render({ children }: { readonly children: ComponentChildren }, { error }: { readonly error?: Error }): ComponentChildren {
    if (!error) return children;
    return (
      <>
        <ErrorMessage error={failure("This screen has failed", error.message)} />
        <button type="button" onClick={() => location.reload()}>
          Load it again
        </button>
      </>
    );
  }
}
