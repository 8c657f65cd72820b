import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { type ApiError, api, type List } from "./api.ts";
import { onReconnect } from "./live.ts";

export interface Loaded<T> {
  readonly data: T | undefined;
  readonly error: ApiError | Error | undefined;
  readonly isLoading: boolean;
  /** Requests again; the current data stays until the response arrives. */
  reload(): void;
}

/** The response of a route, requested again when the path changes and when the server is back. `undefined`: no request. */
export function useApi<T>(path: string | undefined): Loaded<T> {
  const [state, setState] = useState<{ data?: T; error?: Error; path?: string }>({});
  const [reloadCount, setReloadCount] = useState(0);
  useEffect(() => {
    if (path === undefined) return;
    const abort = new AbortController();
    api<T>(path, { signal: abort.signal })
      .then((data) => setState({ data, path }))
      .catch(
        (error: Error) => abort.signal.aborted || setState((before) => (before.path === path ? { ...before, error } : { error, path })),
      );
    return () => abort.abort();
  }, [path, reloadCount]);
  const reload = useCallback(() => setReloadCount((times) => times + 1), []);
  useEffect(() => onReconnect(reload), []);
  return { data: state.data, error: state.error, isLoading: path !== undefined && state.path !== path, reload };
}

export interface LoadedList<T> extends Omit<Loaded<readonly T[]>, "data"> {
  readonly rows: readonly T[];
  readonly hasMore: boolean;
  more(): void;
}

/** A list loaded page by page by cursor. */
export function useList<T>(path: string | undefined): LoadedList<T> {
  const [state, setState] = useState<{ rows: readonly T[]; next: string | null; path?: string; error?: Error }>({ rows: [], next: null });
  const [reloadCount, setReloadCount] = useState(0);
  const isBusy = useRef(false);
  /** True after more rows were loaded: the list is then not reloaded automatically, which would lose the scroll position. */
  const hasLoadedMore = useRef(false);
  useEffect(() => {
    if (path === undefined) return;
    const abort = new AbortController();
    api<List<T>>(path, { signal: abort.signal })
      .then(({ data, page }) => {
        hasLoadedMore.current = false;
        setState({ rows: data, next: page.nextCursor, path });
      })
      .catch(
        (error: Error) =>
          abort.signal.aborted ||
          setState((before) => (before.path === path ? { ...before, error } : { rows: [], next: null, error, path })),
      );
    return () => abort.abort();
  }, [path, reloadCount]);
  const more = useCallback(() => {
    if (path === undefined || state.next === null || isBusy.current) return;
    isBusy.current = true;
    const cursor = `cursor=${encodeURIComponent(state.next)}`;
    api<List<T>>(`${path}${path.includes("?") ? "&" : "?"}${cursor}`)
      .then(({ data, page }) => {
        hasLoadedMore.current = true;
        setState((before) => (before.path === path ? { rows: [...before.rows, ...data], next: page.nextCursor, path } : before));
      })
      .catch((error: Error) => setState((before) => ({ ...before, error })))
      .finally(() => {
        isBusy.current = false;
      });
  }, [path, state.next]);
  const reload = useCallback(() => setReloadCount((times) => times + 1), []);
  useEffect(() => onReconnect(() => hasLoadedMore.current || reload()), []);
  return {
    rows: state.rows,
    hasMore: state.next !== null,
    error: state.error,
    isLoading: path !== undefined && state.path !== path,
    more,
    reload,
  };
}
