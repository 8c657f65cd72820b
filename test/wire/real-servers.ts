/** nginx and Apache as Debian installs them, run from a temporary folder without rights of their own. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

export const codings = ["identity", "gzip", "br"] as const;

/** One way to serve the same folder. */
export interface Manner {
  readonly version: "TLSv1.2" | "TLSv1.3";
  readonly coding: (typeof codings)[number];
  readonly keepsAlive: boolean;
}

export interface Served extends Manner {
  readonly origin: string;
}

export interface RealServer {
  readonly served: readonly Served[];
  /** Paths of the requests so far, in turn. */
  asked(): readonly string[];
  stop(): Promise<void>;
}

export interface RealSetup {
  readonly folder: string;
  readonly address: string;
  readonly pages: string;
  /** PEM files. */
  readonly key: string;
  readonly cert: string;
}

interface Placed extends Manner {
  readonly port: number;
}

interface Kind {
  readonly command: string;
  readonly brotli: string;
  readonly config: (setup: RealSetup, manners: readonly Placed[], hasBrotli: boolean) => string;
  readonly args: (config: string) => readonly string[];
}

const NGINX_BROTLI = "/usr/lib/nginx/modules/ngx_http_brotli_filter_module.so";
const APACHE_MODULES = "/usr/lib/apache2/modules";
const isRoot = process.getuid?.() === 0;

const nginx: Kind = {
  command: "nginx",
  brotli: NGINX_BROTLI,
  args: (config) => ["-c", config, "-g", "daemon off;"],
  config: ({ folder, address, pages, key, cert }, manners, hasBrotli) => `
${hasBrotli ? `load_module ${NGINX_BROTLI};` : ""}
${isRoot ? "user root;" : ""}
worker_processes 1;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
events { worker_connections 1024; }
http {
  types { text/html html; }
  log_format path "$uri";
  access_log ${folder}/access.log path;
  ssl_certificate ${cert};
  ssl_certificate_key ${key};
  gzip_comp_level 1;
  ${["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path ${folder}/${name};`).join("\n  ")}
  ${manners
    .map(
      ({ port, version, coding, keepsAlive }) =>
        `server { listen ${address}:${port} ssl; ssl_protocols ${version}; root ${pages}; gzip ${coding === "gzip" ? "on" : "off"};
    ${coding === "br" ? "brotli on; brotli_comp_level 1;" : ""} keepalive_timeout ${keepsAlive ? 60 : 0}; }`,
    )
    .join("\n  ")}
}
`,
};

const apache: Kind = {
  command: "apache2",
  brotli: `${APACHE_MODULES}/mod_brotli.so`,
  args: (config) => ["-f", config, "-D", "FOREGROUND"],
  config: ({ folder, address, pages, key, cert }, manners, hasBrotli) => `
${["mpm_event", "authz_core", "mime", "dir", "filter", "deflate", "ssl", "headers", ...(hasBrotli ? ["brotli"] : [])]
  .map((name) => `LoadModule ${name}_module ${APACHE_MODULES}/mod_${name}.so`)
  .join("\n")}
ServerRoot ${folder}
ServerName ${address}
PidFile ${folder}/apache.pid
DefaultRuntimeDir ${folder}
ErrorLog ${folder}/error.log
LogFormat "%U" path
CustomLog ${folder}/access.log path
TypesConfig /dev/null
AddType text/html html
DirectoryIndex index.html
DocumentRoot ${pages}
MaxKeepAliveRequests 0
KeepAliveTimeout 60
DeflateCompressionLevel 1
${isRoot ? "User nobody\nGroup nogroup" : ""}
${manners.map(({ port }) => `Listen ${address}:${port}`).join("\n")}
${manners
  .map(
    ({ port, version, coding, keepsAlive }) => `<VirtualHost ${address}:${port}>
  SSLEngine on
  SSLProtocol -all +${version}
  SSLCertificateFile ${cert}
  SSLCertificateKeyFile ${key}
  KeepAlive ${keepsAlive ? "On" : "Off"}
  ${coding === "identity" ? "" : `AddOutputFilterByType ${coding === "br" ? "BROTLI_COMPRESS" : "DEFLATE"} text/html`}
</VirtualHost>`,
  )
  .join("\n")}
`,
};

export const kinds = { nginx, apache };

export const isInstalled = ({ command }: Kind): boolean => spawnSync(command, ["-v"]).status === 0;

/** Every TLS version, coding and keep-alive on a port of its own. */
export async function startReal(kind: Kind, setup: RealSetup): Promise<RealServer> {
  const hasBrotli = existsSync(kind.brotli);
  const placed: Placed[] = [];
  for (const version of ["TLSv1.2", "TLSv1.3"] as const)
    for (const coding of codings)
      for (const keepsAlive of [true, false])
        if (coding !== "br" || hasBrotli) placed.push({ version, coding, keepsAlive, port: await freePort(setup.address) });
  mkdirSync(setup.folder, { recursive: true });
  const config = join(setup.folder, "server.conf");
  writeFileSync(config, kind.config(setup, placed, hasBrotli));
  const child = spawn(kind.command, kind.args(config), { stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  for (const { port } of placed) await answers(setup.address, port, child, () => said + readIfThere(join(setup.folder, "error.log")));
  return {
    served: placed.map((manner) => ({ ...manner, origin: `https://${setup.address}:${manner.port}` })),
    asked: () => readIfThere(join(setup.folder, "access.log")).split("\n").filter(Boolean),
    stop: () => {
      child.kill("SIGTERM");
      return ended;
    },
  };
}

const readIfThere = (path: string) => (existsSync(path) ? readFileSync(path, "utf8") : "");

/** Nobody else takes it in the moment until the server does: each test file has an address of its own. */
function freePort(address: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(0, address, () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

async function answers(address: string, port: number, child: ChildProcess, said: () => string): Promise<void> {
  while (!(await accepts(address, port))) {
    if (child.exitCode !== null) throw new Error(`the server ended before it answered:\n${said()}`);
    await sleep(20);
  }
}

const accepts = (host: string, port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect({ host, port }, () => {
      socket.destroy();
      resolve(true);
    }).once("error", () => resolve(false));
  });
