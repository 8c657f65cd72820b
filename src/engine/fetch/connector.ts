import type { Socket } from "node:net";
import { canonicalHost } from "./hostname.ts";
import type { FetcherSetup } from "./http.ts";
import { openSocket } from "./open-socket.ts";
import { openThroughProxy, openTunnel } from "./tunnel.ts";

/** Opens a bare connection through the address guard, for callers that speak HTTP or TLS themselves. */
export type Connector = (destination: { readonly hostname: string; readonly port: number; readonly isSecure: boolean }) => Promise<Socket>;

export function createConnector({
  names,
  timeout,
  opened,
  access,
}: Pick<FetcherSetup, "names" | "timeout" | "opened" | "access">): Connector {
  const setup = { names, opened, timeout };
  const owner = { onSocket: () => undefined, session: undefined };
  return async ({ hostname: givenHostname, port, isSecure }) => {
    const destination = { hostname: canonicalHost(givenHostname), port, isSecure: false };
    const proxy = access?.proxyFor({ ...destination, isSecure });
    if (proxy === undefined) return openSocket(destination, setup, owner);
    return isSecure ? openTunnel(proxy, destination, setup, owner) : openThroughProxy(proxy, destination, setup, owner);
  };
}
