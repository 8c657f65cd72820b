/** Pages shown to a real browser on loopback. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { hostOf } from "../../src/analysis/url/index.ts";
import {
  type Browsers,
  type EngineName,
  findBrowsers,
  openBrowsers,
  type Rendered,
  type RenderRequest,
} from "../../src/engine/browser/index.ts";
import { DnsCache, openAccess, openResolver, PrivateHosts } from "../../src/engine/fetch/index.ts";

export interface Shower {
  readonly origin: string;
  /** Requests as `GET /path`. */
  readonly log: string[];
  readonly browsers: Browsers;
  show(path: string, more?: Partial<RenderRequest>, signal?: AbortSignal): Promise<Rendered>;
  close(): Promise<void>;
}

export async function showPages(
  engine: EngineName,
  address: string,
  serve: (asked: IncomingMessage, answer: ServerResponse) => void,
): Promise<Shower> {
  const log: string[] = [];
  const server = createServer((asked, answer) => {
    log.push(`${asked.method} ${asked.url}`);
    serve(asked, answer);
  });
  await new Promise<void>((resolve) => server.listen(0, address, resolve));
  const origin = `http://${address}:${(server.address() as AddressInfo).port}`;
  const access = openAccess({ header: ["X-Key: given"], auth: [], cookies: undefined, proxy: undefined, ca: undefined }, [origin]);
  const browsers = await openBrowsers({
    ...{ engines: [engine], browser: [], product: "nuthatch/0.0.0", userAgent: undefined, access },
    ...{
      timeout: 10_000,
      maxBody: 10_000_000,
      types: [],
      names: new DnsCache(openResolver({ timeout: 10_000 })),
      opened: new PrivateHosts([address]),
    },
  });
  const never = new AbortController().signal;
  return {
    origin,
    log,
    browsers,
    show(path, more = {}, signal = never) {
      const url = origin + path;
      const document = { host: hostOf(url), spent: false };
      return browsers.render(engine, { url, document, refusal: () => undefined, wantsPicture: false, ...more }, signal);
    },
    async close() {
      await browsers.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** `refused size`, `body`. */
export const nameOf = ({ fetched }: Rendered): string => ("reason" in fetched ? `${fetched.kind} ${fetched.reason}` : fetched.kind);

export const htmlOf = ({ fetched }: Rendered): string => (fetched.kind === "body" ? new TextDecoder().decode(fetched.bytes) : "");

/** Why an engine cannot be tried here, as a test says it; empty if it can. */
export const lackOf = (engine: EngineName): Promise<string> =>
  findBrowsers([engine], []).then(
    () => "",
    ({ message }: Error) => ` (skipped: ${message})`,
  );
