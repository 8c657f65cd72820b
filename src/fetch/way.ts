import type { Socket } from "node:net";
import { dial } from "./dial.ts";
import { plainHost } from "./hostname.ts";
import type { FetcherSetup } from "./http.ts";
import { dialThrough, tunnelThrough } from "./tunnel.ts";

/** Opens a bare connection through the address guard, for callers that speak HTTP or TLS themselves. */
export type Way = (place: { readonly hostname: string; readonly port: number; readonly isSecure: boolean }) => Promise<Socket>;

export function openWay({ names, timeout, opened, access }: Pick<FetcherSetup, "names" | "timeout" | "opened" | "access">): Way {
  const setup = { names, opened, timeout };
  const owner = { watch: () => undefined, session: undefined };
  return async ({ hostname: written, port, isSecure }) => {
    const place = { hostname: plainHost(written), port, isSecure: false };
    const proxy = access?.proxyFor({ ...place, isSecure });
    if (proxy === undefined) return dial(place, setup, owner);
    return isSecure ? tunnelThrough(proxy, place, setup, owner) : dialThrough(proxy, place, setup, owner);
  };
}
