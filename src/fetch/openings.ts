import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { plainHost, unbracketed } from "./hostname.ts";
import { isGloballyRoutable } from "./routable.ts";

type Network = readonly [ipaddr.IPv4 | ipaddr.IPv6, number];

/** Whether a name was public or private when it was first resolved. */
export type Met = "public" | "private";

/** Returns whether a name was public or private when it was first resolved, in any process; stores `here` if it is new. */
export type FirstMet = (name: string, here: Met) => Promise<Met>;

/** The part that connecting code uses. */
export interface Opened {
  /** Filters the current addresses of a name: those that may be connected to. */
  reachable(place: { readonly hostname: string; readonly port: number }, addresses: readonly string[]): Promise<readonly string[]>;
  allows(hostname: string, port: number, address: string): boolean;
}

const withoutMemory: FirstMet = async (_, here) => here;

/**
 * The private places that the user has opened by name. A seed opens its own hostname and port and nothing else: another name with the same
 * address stays closed, and so does another port. A seed whose name was public when first resolved opens nothing, so that the owner of the
 * name cannot point it to a private address later (rebinding). `--allow-private` opens addresses, networks or names.
 */
export class Openings implements Opened {
  readonly #places = new Set<string>();
  readonly #seeds = new Set<string>();
  readonly #networks: { readonly network: Network; readonly port: number | undefined }[] = [];
  readonly #firstMet: FirstMet;
  readonly #met = new Map<string, Promise<Met>>();
  readonly #public = new Set<string>();

  constructor(entries: readonly string[], firstMet: FirstMet = withoutMemory) {
    this.#firstMet = firstMet;
    for (const entry of entries) this.#add(entry.trim());
  }

  openUrl(url: string): void {
    const { hostname, port, protocol } = new URL(url);
    this.#seeds.add(place(hostname, Number(port) || (protocol === "https:" ? 443 : 80)));
  }

  async reachable(
    { hostname, port }: { readonly hostname: string; readonly port: number },
    addresses: readonly string[],
  ): Promise<string[]> {
    if (this.#seeds.has(place(hostname, port))) await this.#meet(plainHost(hostname), addresses);
    return addresses.filter((address) => isGloballyRoutable(address) || this.allows(hostname, port, address));
  }

  allows(hostname: string, port: number, address: string): boolean {
    const own = place(hostname, port);
    if (this.#seeds.has(own) && !this.#public.has(plainHost(hostname))) return true;
    if (this.#places.has(own) || this.#places.has(place(hostname, 0))) return true;
    if (this.#networks.length === 0 || !ipaddr.isValid(address)) return false;
    const target = ipaddr.process(address);
    return this.#networks.some(({ network, port: only }) => (only === undefined || only === port) && isWithin(target, network));
  }

  /** The first result is final, so it is looked up only once. */
  async #meet(name: string, addresses: readonly string[]): Promise<void> {
    if (isIP(name) !== 0) return;
    const first = this.#met.get(name) ?? this.#firstMet(name, addresses.some(isGloballyRoutable) ? "public" : "private");
    this.#met.set(name, first);
    // After an error it is looked up again.
    first.catch(() => this.#met.delete(name));
    if ((await first) === "public") this.#public.add(name);
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
    const literal = unbracketed(hostname);
    if (!ipaddr.isValid(literal)) this.#places.add(place(hostname, port));
    else {
      const address = ipaddr.process(literal);
      this.#networks.push({ network: [address, address.kind() === "ipv4" ? 32 : 128], port: port || undefined });
    }
  }
}

/** `0` means any port. */
const place = (hostname: string, port: number) => `${plainHost(hostname)} ${port}`;

function isWithin(address: ipaddr.IPv4 | ipaddr.IPv6, [base, bits]: Network): boolean {
  if (address instanceof ipaddr.IPv4) return base instanceof ipaddr.IPv4 && address.match(base, bits);
  return base instanceof ipaddr.IPv6 && address.match(base, bits);
}
