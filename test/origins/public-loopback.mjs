// Preloaded into our own processes: 127.9.1.0/24 counts as the public web, so that a name can lead there first and to a private address later.
import ipaddr from "ipaddr.js";

const { range } = ipaddr.IPv4.prototype;
ipaddr.IPv4.prototype.range = function () {
  const [first, second, third] = this.octets;
  return first === 127 && second === 9 && third === 1 ? "unicast" : range.call(this);
};
