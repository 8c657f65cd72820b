import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { plainHost, unbracketed } from "./hostname.ts";
import { isGloballyRoutable } from "./routable.ts";

type Network = readonly [ipaddr.IPv4 | ipaddr.IPv6, number];

/** Where a name led when it was met first. */
export type Met = "public" | "private";

/** Answers where a name led first, in whichever process that was: here, if nobody has met it. */
export type FirstMet = (name: string, here: Met) => Promise<Met>;

/** What those who connect use of them. */
export interface Opened {
  /** Of the addresses that a name was found to have now, those that may be connected to. */
  reachable(place: { readonly hostname: string; readonly port: number }, addresses: readonly string[]): Promise<readonly string[]>;
  allows(hostname: string, port: number, address: string): boolean;
}

const withoutMemory: FirstMet = async (_, here) => here;

/**
 * The private places a user opened by name. A seed opens its own hostname and port and nothing else: another name that resolves to
 * the same address stays closed, and so does another port. A seed whose name led to the public web first opens nothing, so that
 * whoever owns the name cannot lead us behind our own door later (rebinding). `--allow-private` opens addresses, networks or names.
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

  /** The first to say where a name leads is right for ever, so it is asked once. */
  async #meet(name: string, addresses: readonly string[]): Promise<void> {
    if (isIP(name) !== 0) return;
    const first = this.#met.get(name) ?? this.#firstMet(name, addresses.some(isGloballyRoutable) ? "public" : "private");
    this.#met.set(name, first);
    // Who could not be asked now is asked again.
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

/** `0` stands for every port. */
const place = (hostname: string, port: number) => `${plainHost(hostname)} ${port}`;

function isWithin(address: ipaddr.IPv4 | ipaddr.IPv6, [base, bits]: Network): boolean {
  if (address instanceof ipaddr.IPv4) return base instanceof ipaddr.IPv4 && address.match(base, bits);
  return base instanceof ipaddr.IPv6 && address.match(base, bits);
}
