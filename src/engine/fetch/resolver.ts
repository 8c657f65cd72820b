import { lookup, Resolver } from "node:dns/promises";
import { readFile } from "node:fs/promises";
import { isIP } from "node:net";
import { canonicalHost, isLocalhost } from "./hostname.ts";
import { resolveWithCache, type SharedAddresses, type SharedDnsCache } from "./shared-dns-cache.ts";

/** Resolves a name to its addresses, best first. Rejects with a Node DNS error. */
export type Resolve = (hostname: string) => Promise<readonly string[] | SharedAddresses>;

export interface ResolverSetup {
  readonly timeout: number;
  /** Replaces the system's name servers. */
  readonly servers?: readonly string[] | undefined;
  readonly others?: SharedDnsCache | undefined;
}

/** RFC 8305 §3: how long an IPv4 answer waits for the IPv6 one. */
const IPV6_WAIT_MS = 50;

/**
 * Queries the name servers through c-ares, where every query has its own socket and timeout. `dns.lookup` has four threads for the whole
 * process, so four hanging names would block all others; it is used only for names that only the system knows: single labels, `.local`,
 * and machines without a name server. `localhost` (RFC 6761 §6.3) and the hosts file are handled here. Only answers of name servers are
 * shared with other processes: the rest is specific to this machine.
 */
export function openResolver(setup: ResolverSetup): Resolve {
  const resolver = new Resolver({ timeout: Math.max(1, Math.min(Math.floor(setup.timeout / 2), 2_500)), tries: 2 });
  if (setup.servers !== undefined) resolver.setServers(setup.servers);
  let hosts: Promise<ReadonlyMap<string, readonly string[]>> | undefined;

  return async (hostname) => {
    const name = canonicalHost(hostname);
    if (isLocalhost(name)) return ["127.0.0.1", "::1"];
    hosts ??= readHostsFile();
    const fromHostsFile = (await hosts).get(name);
    if (fromHostsFile !== undefined) return fromHostsFile;
    if (setup.servers === undefined && (!name.includes(".") || name.endsWith(".local"))) return querySystem(name);
    const queryNameServers = () => queryServers(resolver, name);
    const server = setup.servers?.join(" ") ?? "";
    const found = setup.others === undefined ? queryNameServers() : resolveWithCache(setup.others, { name, server }, queryNameServers);
    return found.catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ECONNREFUSED" && setup.servers === undefined) return querySystem(name);
      throw error;
    });
  };
}

async function queryServers(resolver: Resolver, name: string): Promise<readonly string[]> {
  const ipv6 = toFamilyAnswer(resolver.resolve6(name));
  const ipv4 = await toFamilyAnswer(resolver.resolve4(name));
  if (ipv4.addresses.length === 0) {
    const { addresses, error } = await ipv6;
    if (addresses.length > 0) return addresses;
    // "No such record" for one family does not mean that the name is missing: an error of the other family takes precedence.
    throw ipv4.error?.code === "ENODATA" ? (error ?? ipv4.error) : ipv4.error;
  }
  const ipv6Timeout = new Promise<FamilyAnswer>((resolve) =>
    setTimeout(resolve, IPV6_WAIT_MS, { addresses: [], error: undefined }).unref(),
  );
  return [...ipv4.addresses, ...(await Promise.race([ipv6, ipv6Timeout])).addresses];
}

interface FamilyAnswer {
  readonly addresses: readonly string[];
  readonly error: NodeJS.ErrnoException | undefined;
}

const toFamilyAnswer = (answer: Promise<string[]>): Promise<FamilyAnswer> =>
  answer.then(
    (addresses) => ({ addresses, error: undefined }),
    (error: NodeJS.ErrnoException) => ({ addresses: [], error }),
  );

const querySystem = async (name: string) => (await lookup(name, { all: true, verbatim: true })).map(({ address }) => address);

/** Without a hosts file the list is empty. */
async function readHostsFile(): Promise<ReadonlyMap<string, readonly string[]>> {
  const path = process.platform === "win32" ? "C:/Windows/System32/drivers/etc/hosts" : "/etc/hosts";
  return parseHostsFile(await readFile(path, "utf8").catch(() => ""));
}

export function parseHostsFile(text: string): ReadonlyMap<string, readonly string[]> {
  const hosts = new Map<string, string[]>();
  for (const line of text.split("\n")) {
    const [address, ...names] = line.replace(/#.*/, "").trim().split(/\s+/);
    if (address === undefined || isIP(address) === 0) continue;
    for (const name of names) {
      const key = name.toLowerCase();
      hosts.set(key, [...(hosts.get(key) ?? []), address]);
    }
  }
  return hosts;
}
