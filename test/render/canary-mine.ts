/** A page that tries to reach where nobody was invited, and canaries that sing when somebody comes. */
import { createSocket, type Socket as UdpSocket } from "node:dgram";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { hostOf } from "../../src/analysis/url/index.ts";
import { type EngineName, openBrowsers, type Rendered } from "../../src/engine/browser/index.ts";
import { DnsCache, openResolver, PrivateHosts } from "../../src/engine/fetch/index.ts";
import { wildcardNames } from "../farm/subdomains.ts";
import { privateSpellings } from "../private-spellings.ts";

const CANARY = "127.0.9.9";
const HOME = "127.0.66.9";

/** What a page can do with a URL `u`; `n` is its number, and /hop/n leads there. The names are those of the tests. */
export const ways: Readonly<Record<string, string>> = {
  "script src": "add('script', { src: u })",
  "a module": "import(u).catch(() => {})",
  img: "new Image().src = u",
  iframe: "add('iframe', { src: u })",
  fetch: "fetch(u, { mode: 'no-cors' }).catch(() => {})",
  XMLHttpRequest: "const x = new XMLHttpRequest(); x.open('GET', u); x.send()",
  WebSocket: "new WebSocket(new URL(u, location).href.replace('http', 'ws'))",
  EventSource: "new EventSource(u)",
  sendBeacon: "navigator.sendBeacon(u, 'x')",
  "CSS import": "add('style', { textContent: '@import url(' + u + '); p { background: url(' + u + ') }' })",
  "prefetch and its like":
    "for (const rel of ['prefetch', 'preconnect', 'dns-prefetch', 'preload', 'modulepreload', 'prerender', 'icon', 'manifest', 'stylesheet']) add('link', { rel, href: u, as: 'fetch' })",
  "object, embed and video": "add('object', { data: u }); add('embed', { src: u }); add('video', { src: u, autoplay: true })",
  "a form": "const form = add('form', { action: u, target: '_blank' }); form.submit(); form.target = ''; form.submit()",
  "window.open": "window.open(u); window.open(u, '_self')",
  "location =": "location = u; setTimeout(() => location.replace(u), n * 10)",
  "meta refresh":
    "const content = '0;url=' + u; add('iframe', { srcdoc: '<meta http-equiv=refresh content=\"' + content + '\">' }); add('meta', { httpEquiv: 'refresh', content })",
  "a redirected script": "add('script', { src: '/hop/' + n })",
  "a redirected frame": "add('iframe', { src: '/hop/' + n })",
  "a redirected fetch": "fetch('/hop/' + n, { mode: 'no-cors' }).catch(() => {})",
  "a redirected page": "location = '/hop/' + n",
  workers:
    "const start = (code) => new Worker(URL.createObjectURL(new Blob([code]))); start('importScripts(' + JSON.stringify(u) + ')'); start('fetch(' + JSON.stringify(u) + ')'); navigator.serviceWorker.register('/hop/' + n)",
  WebRTC:
    "const { host } = new URL(u, location); const p = new RTCPeerConnection({ iceServers: [{ urls: 'stun:' + host }, { urls: 'turn:' + host + '?transport=tcp', username: 'x', credential: 'y' }] }); p.createDataChannel('x'); p.createOffer().then((offer) => p.setLocalDescription(offer))",
  WebTransport: "new WebTransport(new URL(u, location).href.replace('http:', 'https:')).ready.catch(() => {})",
};

const pageFor = (way: string, urls: readonly string[]) => `<title>${way}</title><body><p>words</p><script>
const add = (name, given) => { const element = Object.assign(document.createElement(name), given); document.body.append(element); return element; };
const urls = ${JSON.stringify(way === "all" ? urls.filter((_, at) => at % 3 === 0) : urls)};
for (const [n, u] of urls.entries()) try { ${
  way === "all"
    ? Object.values(ways)
        .slice(0, 9)
        .map((code) => `try { ${code} } catch {}`)
        .join(";")
    : ways[way]
} } catch {}
</script>`;

export interface CanaryMine {
  /** Who was reached, by which protocol; empty is well. */
  readonly songs: string[];
  show(way: string): Promise<Rendered>;
  close(): Promise<void>;
}

/** `allowed` opens private addresses, so that it can be seen whether the canaries can sing at all. */
export async function openMine(engine: EngineName, allowed: readonly string[] = []): Promise<CanaryMine> {
  const names = await wildcardNames(CANARY);
  const songs: string[] = [];
  let urls: string[] = [];
  const server = createServer((asked, answer: ServerResponse) => {
    const path = decodeURIComponent(asked.url ?? "/");
    const target = urls[Number(/^\/hop\/(\d+)$/.exec(path)?.[1] ?? Number.NaN)];
    if (target !== undefined) answer.writeHead(302, { location: Buffer.from(target.replaceAll(/[\t\n]/g, "")).toString("latin1") }).end();
    else answer.setHeader("content-type", "text/html").end(pageFor(path.slice(1), urls));
  });
  server.on("connection", (socket) => {
    const address = (socket.localAddress ?? "").replace(/^::ffff:/, "");
    if (address !== HOME) songs.push(`tcp ${address}`);
  });
  await new Promise<void>((ready, failed) => server.once("error", failed).listen(0, "::", ready));
  const { port } = server.address() as AddressInfo;
  const udp = await listenUdp(port, songs);
  urls = privateSpellings.map((url) => url.replaceAll("P", String(port)));
  const origin = `http://${HOME}:${port}`;
  const opened = new PrivateHosts(allowed);
  opened.allowUrl(`${origin}/`);
  const browsers = await openBrowsers({
    ...{ engines: [engine], browser: [], product: "nuthatch/0.0.0", access: undefined, opened },
    ...{ timeout: 5_000, maxBody: 10_000_000, types: [], names: new DnsCache(openResolver({ timeout: 5_000, servers: [names.resolver] })) },
  });
  return {
    songs,
    show(way) {
      const url = `${origin}/${encodeURIComponent(way)}`;
      const ask = { url, document: { host: hostOf(url), spent: false }, refusal: () => undefined, wantsPicture: true };
      return browsers.render(engine, ask, new AbortController().signal);
    },
    async close() {
      await browsers.close();
      names.close();
      udp.close();
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

async function listenUdp(port: number, songs: string[]): Promise<UdpSocket> {
  const socket = createSocket("udp6", (_, { address }) => songs.push(`udp from ${address}`));
  await new Promise<void>((ready) => socket.bind(port, "::", ready));
  return socket;
}
