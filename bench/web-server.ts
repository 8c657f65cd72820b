// A real server for saved pages: nginx if it is installed, otherwise Node's in a process of its own. Both write the same access log, from
// which the fetched pages are counted.
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { chmodSync, closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readSync, rmSync, statSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Served } from "./measure.ts";
import { cpuWithChildren } from "./processes.ts";
import type { RealSite } from "./real-site.ts";

export type Coding = "gzip" | "br" | "identity";

export interface WebServer {
  /** Name of the server software, for the report. */
  readonly name: string;
  readonly origins: readonly string[];
  /** Certificate file that clients have to trust. */
  readonly ca: string;
  served(): Served;
  close(): Promise<void>;
}

interface WebServerOptions {
  readonly site: RealSite;
  readonly coding: Coding;
  readonly hasTls: boolean;
}

const BROTLI = "/usr/lib/nginx/modules/ngx_http_brotli_filter_module.so";
const fallbackProgram = fileURLToPath(new URL("./web-server-node.js", import.meta.url));

export async function openWebServer(options: WebServerOptions): Promise<WebServer> {
  const folder = mkdtempSync(join(tmpdir(), "nuthatch-web-"));
  chmodSync(folder, 0o755); // nginx's worker runs as another user if its master is root
  const ca = makeCertificate(folder, options.site.addresses);
  const port = await freePort(options.site.addresses[0]!);
  const log = join(folder, "access.log");
  writeFileSync(log, "");
  chmodSync(log, 0o666);
  const release = nginxRelease();
  const child = release === undefined ? startNode({ ...options, folder, port, log }) : startNginx({ ...options, folder, port, log });
  await untilListening(child, options.site.addresses.at(-1)!, port);
  const scheme = options.hasTls ? "https" : "http";
  let [from, spent] = [0, cpuWithChildren(child.pid!)];
  return {
    name: `${release ?? `Node ${process.versions.node}`}${options.hasTls ? ", TLS 1.3" : ", plain HTTP"}, ${options.coding}`,
    origins: options.site.addresses.map((address) => `${scheme}://${address}:${port}`),
    ca,
    served: () => {
      const text = textFrom(log, from);
      from = statSync(log).size;
      const cpu = cpuWithChildren(child.pid!);
      const served = countIn(text, options.site.pages, cpu - spent);
      spent = cpu;
      return served;
    },
    close: async () => {
      const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
      child.kill("SIGTERM");
      if (child.exitCode === null && child.signalCode === null) await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function nginxRelease(): string | undefined {
  const found = spawnSync("nginx", ["-v"], { encoding: "utf8" });
  return found.status === 0 ? `nginx ${/nginx\/(\S+)/.exec(found.stderr)?.[1] ?? ""}` : undefined;
}

/** For these addresses, valid for one day. */
export function makeCertificate(folder: string, addresses: readonly string[]): string {
  const names = addresses.map((address) => `IP:${address}`).join(",");
  const key = "-x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1 -subj /CN=nuthatch-bench".split(" ");
  const files = ["-keyout", join(folder, "key.pem"), "-out", join(folder, "cert.pem")];
  execFileSync("openssl", ["req", ...key, ...files, "-addext", `subjectAltName=${names}`], { stdio: ["ignore", "ignore", "pipe"] });
  return join(folder, "cert.pem");
}

/** A free port on this address; nginx cannot choose one itself. */
function freePort(address: string): Promise<number> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once("error", reject).listen(0, address, () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

interface Start extends WebServerOptions {
  readonly folder: string;
  readonly port: number;
  readonly log: string;
}

export const codings: Readonly<Record<Coding, string>> = {
  gzip: "gzip_static on;",
  br: "brotli on; brotli_comp_level 4;",
  identity: "gzip off;",
};

function startNginx({ site, coding, hasTls, folder, port, log }: Start): ChildProcess {
  if (coding === "br" && !existsSync(BROTLI)) throw new Error("brotli needs Debian's package libnginx-mod-http-brotli-filter");
  mkdirSync(join(folder, "temp"));
  const temp = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path ${folder}/temp/${name};`);
  const listen = site.addresses.map((address) => `listen ${address}:${port}${hasTls ? " ssl" : ""};`);
  // Every connection makes a full handshake: real servers seldom see a crawler again before their session tickets expire.
  const tls = `ssl_certificate ${folder}/cert.pem; ssl_certificate_key ${folder}/key.pem; ssl_protocols TLSv1.3; ssl_session_cache off; ssl_session_tickets off;`;
  const config = `${coding === "br" ? `load_module ${BROTLI};` : ""}
daemon off; worker_processes 1; pid ${folder}/nginx.pid; error_log ${folder}/error.log;
events { worker_connections 4096; }
http {
  include /etc/nginx/mime.types; sendfile on; keepalive_requests 1000000; keepalive_timeout 120s; server_tokens off;
  ${temp.join(" ")}
  log_format counted '$server_addr $status $request_uri $connection $sent_http_content_encoding';
  access_log ${log} counted;
  ${hasTls ? tls : ""}
  server { ${listen.join(" ")} root ${site.folder}/$server_addr; ${codings[coding]} }
}
`;
  writeFileSync(join(folder, "nginx.conf"), config);
  const args = ["-p", folder, "-c", join(folder, "nginx.conf"), "-e", join(folder, "error.log")];
  return spawn("nginx", args, { stdio: ["ignore", "ignore", "inherit"] });
}

function startNode({ site, coding, hasTls, folder, port, log }: Start): ChildProcess {
  const setup = { root: site.folder, addresses: site.addresses, coding, hasTls, port, log, certificate: folder };
  return spawn(process.execPath, [fallbackProgram, JSON.stringify(setup)], { stdio: ["pipe", "ignore", "inherit"] });
}

const WAIT = 50;
const TRIES = 600;

async function untilListening(child: ChildProcess, address: string, port: number): Promise<void> {
  for (let attempt = 0; attempt < TRIES; attempt++) {
    if (child.exitCode !== null) throw new Error(`the server ended with code ${child.exitCode}`);
    if (await canConnect(address, port)) return;
    await pause(WAIT);
  }
  throw new Error(`the server does not listen on ${address}:${port}`);
}

const canConnect = (address: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, address);
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });

function textFrom(file: string, from: number): string {
  const size = statSync(file).size;
  const bytes = Buffer.alloc(size - from);
  const handle = openSync(file, "r");
  readSync(handle, bytes, 0, bytes.length, from);
  closeSync(handle);
  return bytes.toString();
}

/** Counts the requests in an access log. */
export function countIn(log: string, pages: ReadonlySet<string>, cpu: number): Served {
  const seen = new Set<string>();
  const connections = new Set<string>();
  const plain = new Set<string>();
  let [requests, twice, other, notModified] = [0, 0, 0, 0];
  for (const line of log.split("\n")) {
    if (line === "") continue;
    const [address = "", status = "", path = "", connection = "", coding = ""] = line.split(" ");
    requests += 1;
    connections.add(connection);
    const page = address + path;
    if (status === "304") notModified += 1;
    if (path === "/robots.txt") continue;
    if (status !== "200" || !pages.has(page)) other += 1;
    else if (seen.has(page)) twice += 1;
    else seen.add(page);
    if (status === "200" && coding === "-") plain.add(page);
  }
  const serverMs = cpu / Math.max(1, requests);
  return { requests, different: seen.size, twice, other, notModified, connections: connections.size, uncompressed: plain.size, serverMs };
}
