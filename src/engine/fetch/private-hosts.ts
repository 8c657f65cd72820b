import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { canonicalHost, withoutBrackets } from "./hostname.ts";
import { isGloballyRoutable } from "./routable.ts";

type Network = readonly [ipaddr.IPv4 | ipaddr.IPv6, number];

/** Whether a name was public or private when it was first resolved. */
export type NameVisibility = "public" | "private";

/** Returns whether a name was public or private when it was first resolved, in any process; stores `here` if it is new. */
export type FirstVisibility = (name: string, current: NameVisibility) => Promise<NameVisibility>;

/** The part that connecting code uses. */
export interface PrivateHostCheck {
  /** Filters the current addresses of a name: those that may be connected to. */
  filterReachable(
    hostAndPort: { readonly hostname: string; readonly port: number },
    addresses: readonly string[],
  ): Promise<readonly string[]>;
  allows(hostname: string, port: number, address: string): boolean;
}

const alwaysCurrent: FirstVisibility = async (_, current) => current;

/**
 * The private places that the user has opened by name. A seed opens its own hostname and port and nothing else: another name with the same
 * address stays closed, and so does another port. A seed whose name was public when first resolved opens nothing, so that the owner of the
 * name cannot point it to a private address later (rebinding). `--allow-private` opens addresses, networks or names.
 */
export class PrivateHosts implements PrivateHostCheck {
  readonly #allowedHosts = new Set<string>();
  readonly #seeds = new Set<string>();
  readonly #networks: { readonly network: Network; readonly port: number | undefined }[] = [];
  readonly #firstVisibility: FirstVisibility;
  readonly #visibilities = new Map<string, Promise<NameVisibility>>();
  readonly #publicNames = new Set<string>();

  constructor(entries: readonly string[], firstVisibility: FirstVisibility = alwaysCurrent) {
    this.#firstVisibility = firstVisibility;
    for (const entry of entries) this.#add(entry.trim());
  }

  allowUrl(url: string): void {
    const { hostname, port, protocol } = new URL(url);
    this.#seeds.add(hostAndPort(hostname, Number(port) || (protocol === "https:" ? 443 : 80)));
  }

  async filterReachable(
    { hostname, port }: { readonly hostname: string; readonly port: number },
    addresses: readonly string[],
  ): Promise<string[]> {
    if (this.#seeds.has(hostAndPort(hostname, port))) await this.#checkFirstVisibility(canonicalHost(hostname), addresses);
    return addresses.filter((address) => isGloballyRoutable(address) || this.allows(hostname, port, address));
  }

  allows(hostname: string, port: number, address: string): boolean {
    const key = hostAndPort(hostname, port);
    if (this.#seeds.has(key) && !this.#publicNames.has(canonicalHost(hostname))) return true;
    if (this.#allowedHosts.has(key) || this.#allowedHosts.has(hostAndPort(hostname, 0))) return true;
    if (this.#networks.length === 0 || !ipaddr.isValid(address)) return false;
    const target = ipaddr.process(address);
    return this.#networks.some(({ network, port: onlyPort }) => (onlyPort === undefined || onlyPort === port) && isWithin(target, network));
  }

  /** The first result is final, so it is looked up only once. */
  async #checkFirstVisibility(name: string, addresses: readonly string[]): Promise<void> {
    if (isIP(name) !== 0) return;
    const first = this.#visibilities.get(name) ?? this.#firstVisibility(name, addresses.some(isGloballyRoutable) ? "public" : "private");
    this.#visibilities.set(name, first);
    // After an error it is looked up again.
    first.catch(() => this.#visibilities.delete(name));
    if ((await first) === "public") this.#publicNames.add(name);
  }

  #add(entry: string): void {
    if (ipaddr.isValidCIDR(entry)) {
      this.#networks.push({ network: ipaddr.parseCIDR(entry), port: undefined });
      return;
    }
    const bare = ipaddr.IPv6.isValid(entry) ? `[${entry}]` : entry;
    const isPlain = bare !== "" && !/[/?#@\\\s]/.test(bare);
    if (!isPlain || !URL.canParse(`http://${bare}/`)) throw new Error(`"${entry}" is not an address, a CIDR, a host or a host:port`);
    const { hostname } = new URL(`http://${bare}/`);
    const port = Number(/:(\d+)$/.exec(bare.replace(/^\[.*\]/, ""))?.[1] ?? 0);
    const literal = withoutBrackets(hostname);
    if (!ipaddr.isValid(literal)) this.#allowedHosts.add(hostAndPort(hostname, port));
    else {
      const address = ipaddr.process(literal);
      this.#networks.push({ network: [address, address.kind() === "ipv4" ? 32 : 128], port: port || undefined });
    }
  }
}

/** `0` means any port. */
const hostAndPort = (hostname: string, port: number) => `${canonicalHost(hostname)} ${port}`;

function isWithin(address: ipaddr.IPv4 | ipaddr.IPv6, [base, bits]: Network): boolean {
  if (address instanceof ipaddr.IPv4) return base instanceof ipaddr.IPv4 && address.match(base, bits);
  return base instanceof ipaddr.IPv6 && address.match(base, bits);
}
