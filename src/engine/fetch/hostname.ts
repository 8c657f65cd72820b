import { isIP } from "node:net";

/** URLs write IPv6 hosts in brackets, sockets do not. */
export const withoutBrackets = (hostname: string) => (hostname.startsWith("[") ? hostname.slice(1, -1) : hostname);

const TRAILING_DOTS = /\.+$/;

/**
 * The canonical spelling of a host, for checks, lookups and requests: no brackets, lower case, ASCII, IPv4 as four numbers, no trailing
 * dot.
 */
export function canonicalHost(hostname: string): string {
  const bare = withoutBrackets(hostname.trim()).replace(TRAILING_DOTS, "");
  // Text that is not a host name would be parsed as another host.
  if (isIP(bare) === 6 || /[/?#@\\:]/.test(bare)) return bare.toLowerCase();
  const url = `http://${bare}/`;
  return (URL.canParse(url) ? withoutBrackets(new URL(url).hostname) : bare.toLowerCase()).replace(TRAILING_DOTS, "");
}

/** Names that mean the local machine everywhere (RFC 6761 §6.3). Takes a plain host. */
export const isLocalhost = (name: string): boolean => name === "localhost" || name.endsWith(".localhost");

/** RFC 6761, 6762 and 8375, and endings used in offices, home routers, containers and clusters. */
const PRIVATE_ENDINGS = [
  ...["localhost", "localdomain", "local", "home.arpa", "home", "lan", "corp", "private", "internal", "intranet", "intra", "svc"],
];

/** Names that no public name server can resolve. Takes a plain host. */
export const isPrivateName = (name: string): boolean =>
  !name.includes(".") || PRIVATE_ENDINGS.some((ending) => name.endsWith(`.${ending}`));
