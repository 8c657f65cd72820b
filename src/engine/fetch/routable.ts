import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** Azure's host service has an address that looks public but answers only from inside. */
const internalAddresses = new Set(["168.63.129.16"]);

/** IPv6 forms that contain an IPv4 address, which decides where the packet goes. Offsets are in bytes. */
const ipv4InIpv6: readonly [prefix: ipaddr.IPv6, bits: number, offset: number][] = [
  [ipaddr.IPv6.parse("::ffff:0:0"), 96, 12], // IPv4-mapped, RFC 4291 §2.5.5.2
  [ipaddr.IPv6.parse("::ffff:0:0:0"), 96, 12], // IPv4-translated, RFC 2765 §2.1
  [ipaddr.IPv6.parse("64:ff9b::"), 96, 12], // NAT64, RFC 6052 §2.1
  [ipaddr.IPv6.parse("::"), 96, 12], // IPv4-compatible, RFC 4291 §2.5.5.1
  [ipaddr.IPv6.parse("2002::"), 16, 2], // 6to4, RFC 3056 §2
];
const teredo: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse("2001::"), 32];
const globalUnicast: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse("2000::"), 3];

/**
 * Whether a packet to this address goes to the public internet. False for anything that is not an IP address, or not known to be public.
 */
export function isGloballyRoutable(address: string): boolean {
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.parse(address);
  return parsed instanceof ipaddr.IPv6 ? isPublicV6(parsed) : isPublicV4(parsed as ipaddr.IPv4);
}

function isPublicV4(address: ipaddr.IPv4): boolean {
  return address.range() === "unicast" && !internalAddresses.has(address.toString());
}

function isPublicV6(address: ipaddr.IPv6): boolean {
  const bytes = address.toByteArray();
  for (const [prefix, bits, offset] of ipv4InIpv6) {
    if (address.match(prefix, bits)) return isPublicV4(embeddedIpv4(bytes, offset));
  }
  // RFC 4380 §4: the server's address is in plain form, the client's has every bit flipped.
  if (address.match(teredo)) return isPublicV4(embeddedIpv4(bytes, 4)) && isPublicV4(embeddedIpv4(bytes, 12, 0xff));
  if (!address.match(globalUnicast) || address.range() !== "unicast") return false;
  return !isIsatap(bytes) || isPublicV4(embeddedIpv4(bytes, 12));
}

/** RFC 5214 §6.1: an interface identifier of 0000:5efe or 0200:5efe is followed by an IPv4 address. */
function isIsatap(bytes: readonly number[]): boolean {
  return (bytes[8]! & 0xfd) === 0 && bytes[9] === 0 && bytes[10] === 0x5e && bytes[11] === 0xfe;
}

function embeddedIpv4(bytes: readonly number[], offset: number, mask = 0): ipaddr.IPv4 {
  return new ipaddr.IPv4(bytes.slice(offset, offset + 4).map((byte) => byte ^ mask));
}
