import { getServers } from "node:dns";
import { accessSync, constants, existsSync, readFileSync, statSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { Config } from "../../engine/config/index.ts";
import { AccessError, parseProxy } from "../../engine/fetch/index.ts";
import { type FileFindings, inspectPostgres, inspectSqlite, isPostgres, StorageError, storageError } from "../../store/index.ts";

export interface Check {
  readonly name: string;
  readonly state: "ok" | "warn" | "bad";
  readonly said: string;
  /** A command or step that fixes it. */
  readonly fix: string | null;
}

export interface DoctorInput {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly db: string;
  readonly configName: string | undefined;
  /** Absent if it cannot be read; then `configTrouble` has the reason. */
  readonly config: Config | undefined;
  readonly configTrouble: { readonly message: string; readonly hint: string } | undefined;
}

export const ok = (name: string, said: string): Check => ({ name, state: "ok", said, fix: null });
export const warn = (name: string, said: string, fix: string): Check => ({ name, state: "warn", said, fix });
export const bad = (name: string, said: string, fix: string): Check => ({ name, state: "bad", said, fix });

const NEEDED_NODE: readonly [number, number] = [20, 19];
const GB = 1024 ** 3;
const SECOND = 1000;

/** Checks of this machine that need no network. */
export async function checkMachine(given: DoctorInput): Promise<Check[]> {
  const { check, latestRunAt } = isPostgres(given.db) ? await inspectServer(given.db) : inspectDataFile(given.db);
  return [
    nodeCheck(process.versions.node),
    configCheck(given),
    check,
    await diskCheck(isPostgres(given.db) ? "." : given.db),
    clockCheck(given.db, latestRunAt),
    dnsCheck(given.config),
    ...tlsChecks(given.env),
    proxyCheck(given),
    ...contactChecks(given.config),
  ];
}

export function nodeCheck(version: string): Check {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const isEnough = major > NEEDED_NODE[0] || (major === NEEDED_NODE[0] && minor >= NEEDED_NODE[1]);
  if (isEnough) return ok("node", version);
  return bad("node", `${version} is older than ${NEEDED_NODE.join(".")}`, "install a newer Node: https://nodejs.org");
}

function configCheck({ configName, configTrouble }: DoctorInput): Check {
  if (configTrouble) return bad("config", configTrouble.message, configTrouble.hint);
  return ok("config", configName ?? "no config file; the built-in options hold");
}

interface DatabaseCheck {
  readonly check: Check;
  readonly latestRunAt?: number | undefined;
}

/** Whether the database is usable. */
async function inspectServer(db: string): Promise<DatabaseCheck> {
  try {
    const { server, version, today, latestRunAt } = await inspectPostgres(db);
    const said = `${db}, PostgreSQL ${server}`;
    if (version > today) {
      const check = bad(
        DATA_FILE,
        `${said}, was written by a newer nuthatch (schema ${version}, this one knows ${today})`,
        "update nuthatch",
      );
      return { check };
    }
    if (version === 0) return { check: ok(DATA_FILE, `${said}, holds nothing yet; the first crawl prepares it`) };
    if (version < today) return { check: warn(DATA_FILE, `${said}, is of an earlier nuthatch (schema ${version})`, "nuthatch db migrate") };
    return { check: ok(DATA_FILE, `${said}, schema ${version}`), latestRunAt };
  } catch (cause) {
    if (!(cause instanceof StorageError)) throw cause;
    return { check: bad(DATA_FILE, cause.message, cause.hint) };
  }
}

/** Whether the data file is usable, and when its last run was. */
function inspectDataFile(db: string): DatabaseCheck {
  const isThere = existsSync(db);
  const elsewhere = "choose another file with --db";
  if (isThere && statSync(db).isDirectory()) return { check: bad(DATA_FILE, `${db} is a folder`, elsewhere) };
  const closed = [...(isThere ? [db] : []), dirname(resolve(db))].find((path) => !mayWrite(path));
  if (closed !== undefined) {
    const fix = existsSync(closed) ? `chmod u+w ${closed}, or ${elsewhere}` : elsewhere;
    return { check: bad(DATA_FILE, `${closed} cannot be written`, fix) };
  }
  if (!isThere) return { check: ok(DATA_FILE, `none yet; the first crawl makes ${db}`) };
  try {
    const findings = inspectSqlite(db);
    const check = dataFileCheck(db, findings);
    return { check: check.state === "ok" && isOpenToAll(db) ? openToAll(db) : check, latestRunAt: findings.latestRunAt };
  } catch (cause) {
    const { message, hint } = storageError(db, cause);
    return { check: bad(DATA_FILE, message, hint) };
  }
}

const DATA_FILE = "data file";

function dataFileCheck(db: string, { isOurs, version, today, journal, finding }: FileFindings): Check {
  if (!isOurs) return bad(DATA_FILE, `${db} is a database of another program`, "choose another file with --db");
  if (version > today)
    return bad(DATA_FILE, `${db} was written by a newer nuthatch (schema ${version}, this one knows ${today})`, "update nuthatch");
  if (finding !== undefined && finding !== "ok")
    return bad(DATA_FILE, `${db} is damaged: ${finding}`, "restore a copy, or move the file away and start anew");
  if (version < today)
    return warn(DATA_FILE, `${db} is of an earlier nuthatch (schema ${version})`, "nuthatch db migrate, or the next crawl does it");
  if (journal !== "wal")
    return warn(DATA_FILE, `${db} is not in WAL mode, so readers would wait for writers`, "the next crawl into it turns that on");
  return ok(DATA_FILE, `${db}, schema ${version}, WAL`);
}

/** Windows has no permission bits. */
const isOpenToAll = (path: string) => process.platform !== "win32" && (statSync(path).mode & constants.S_IROTH) !== 0;

const openToAll = (db: string) =>
  warn(DATA_FILE, `${db} can be read by every user of this machine, and may hold pages behind a login`, `chmod 600 ${db}`);

function mayWrite(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false; // the reason does not matter: it is not writable
  }
}

async function diskCheck(db: string): Promise<Check> {
  const folder = dirname(resolve(db));
  if (!existsSync(folder)) return bad("disk", `there is no folder ${folder}`, `mkdir -p ${folder}`);
  const { bavail, bsize } = await statfs(folder);
  const free = (bavail * bsize) / GB;
  const said = `${free.toFixed(1)} GB free`;
  if (free >= 1) return ok("disk", said);
  const fix = "make room, or choose another disk with --db";
  return free < 0.1 ? bad("disk", said, fix) : warn("disk", said, fix);
}

/** Pauses use a monotonic clock; stored times use the system clock, which may be wrong. */
function clockCheck(db: string, latest: number | undefined): Check {
  const now = Date.now();
  const drift = Math.abs(now - (performance.timeOrigin + performance.now()));
  const fix = "let the system set its clock: timedatectl set-ntp true";
  if (drift > SECOND) return warn("clock", `it was set by ${Math.round(drift / SECOND)} s while this command ran`, fix);
  if (latest !== undefined && latest > now + SECOND)
    return warn("clock", `the latest run in ${db} began in the future, ${new Date(latest).toISOString()}`, fix);
  return ok("clock", new Date(now).toISOString());
}

function dnsCheck(config: Config | undefined): Check {
  const servers = config?.resolver === undefined ? getServers() : [config.resolver];
  if (servers.length > 0) return ok("dns", `name servers ${servers.join(", ")}`);
  return bad("dns", "this machine has no name server", "name one: --resolver 9.9.9.9:53");
}

function tlsChecks(env: DoctorInput["env"]): Check[] {
  const extra = env.NODE_EXTRA_CA_CERTS;
  if (env.NODE_TLS_REJECT_UNAUTHORIZED === "0")
    return [bad("tls", "NODE_TLS_REJECT_UNAUTHORIZED=0 turns off the check of every certificate", "unset NODE_TLS_REJECT_UNAUTHORIZED")];
  if (extra === undefined || extra === "") return [ok("tls", "certificates are checked against Node's own list")];
  const isPem = existsSync(extra) && statSync(extra).isFile() && readFileSync(extra, "latin1").includes("-----BEGIN CERTIFICATE-----");
  if (isPem) return [ok("tls", `certificates are checked against Node's own list and ${extra}`)];
  return [bad("tls", `NODE_EXTRA_CA_CERTS names ${extra}, which holds no certificate`, "unset NODE_EXTRA_CA_CERTS, or name a PEM file")];
}

function proxyCheck({ env }: DoctorInput): Check {
  const names = ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"];
  const name = names.find((each) => env[each]);
  if (name === undefined) return ok("proxy", "none in the environment");
  try {
    const proxy = parseProxy(env[name]!);
    return warn(
      "proxy",
      `${name} names ${proxy.name}: where names lead behind it, the address guard cannot see`,
      `unset ${name}, if you do not need it`,
    );
  } catch (cause) {
    if (!(cause instanceof AccessError)) throw cause;
    return bad("proxy", `${name}: ${cause.message}`, `export ${name}=http://host:port, or unset ${name}`);
  }
}

function contactChecks(config: Config | undefined): Check[] {
  if (!config) return [];
  const agent = config.userAgent ?? "";
  if (config.contact !== undefined || /https?:\/\/|@/.test(agent)) return [ok("contact", config.contact ?? agent)];
  return [
    warn(
      "contact",
      "site owners cannot reach you: there is no contact in the user agent",
      "nuthatch init, or export NUTHATCH_CONTACT=mailto:you@example.org",
    ),
  ];
}
