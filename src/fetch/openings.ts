import ipaddr from "ipaddr.js";

type Network = readonly [ipaddr.IPv4 | ipaddr.IPv6, number];

/**
 * The private places a user opened by name. A seed opens its own hostname and port and nothing else: another name that resolves to
 * the same address stays closed, and so does another port. `--allow-private` opens addresses, networks or names.
 */
export class Openings {
  readonly #places = new Set<string>();
  readonly #seeds = new Set<string>();
  readonly #networks: { readonly network: Network; readonly port: number | undefined }[] = [];

  constructor(entries: readonly string[]) {
    for (const entry of entries) this.#add(entry.trim());
  }

  openUrl(url: string): void {
    const { hostname, port, protocol } = new URL(url);
    this.#seeds.add(place(hostname, Number(port) || (protocol === "https:" ? 443 : 80)));
  }

  /** A seed on the public web needs no opening, and must not use it to lead us behind our own door later (rebinding). */
  metInPublic(hostname: string, port: number): void {
    this.#seeds.delete(place(hostname, port));
  }

  allows(hostname: string, port: number, address: string): boolean {
    const own = place(hostname, port);
    if (this.#seeds.has(own) || this.#places.has(own) || this.#places.has(place(hostname, 0))) return true;
    if (this.#networks.length === 0 || !ipaddr.isValid(address)) return false;
    const target = ipaddr.process(address);
    return this.#networks.some(({ network, port: only }) => (only === undefined || only === port) && isWithin(target, network));
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
const place = (hostname: string, port: number) => `${unbracketed(hostname.toLowerCase())} ${port}`;

/** URL spells IPv6 hosts in brackets, sockets do not. */
export const unbracketed = (hostname: string) => (hostname.startsWith("[") ? hostname.slice(1, -1) : hostname);

function isWithin(address: ipaddr.IPv4 | ipaddr.IPv6, [base, bits]: Network): boolean {
  if (address instanceof ipaddr.IPv4) return base instanceof ipaddr.IPv4 && address.match(base, bits);
  return base instanceof ipaddr.IPv6 && address.match(base, bits);
}
