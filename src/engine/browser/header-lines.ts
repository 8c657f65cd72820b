/** RFC 9110 §7.6.1: valid only for one connection. */
const hopByHop = [
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
];
/** Kept even if listed in Connection, because the body cannot be read without them. */
const alwaysKept = ["content-length", "content-encoding", "content-type"];

/** Header lines (names and values alternating) without the hop-by-hop ones. */
export function endToEnd(raw: readonly string[]): string[] {
  const pairs = pairsOf(raw);
  const listedInConnection = pairs
    .filter(([name]) => name.toLowerCase() === "connection")
    .flatMap(([, value]) => value.toLowerCase().split(","));
  const dropped = new Set([...hopByHop, ...listedInConnection.map((name) => name.trim())]);
  for (const name of alwaysKept) dropped.delete(name);
  return pairs.flatMap(([name, value]) => (dropped.has(name.toLowerCase()) ? [] : [name, value]));
}

/** Adds our own header lines, which replace received ones of the same name. Cookies are joined. */
export function withHeaderLines(raw: readonly string[], own: readonly string[]): string[] {
  const ours = pairsOf(own);
  const names = new Set(ours.map(([name]) => name.toLowerCase()));
  const theirs = pairsOf(raw);
  const cookies = theirs.filter(([name]) => name.toLowerCase() === "cookie").map(([, value]) => value);
  const joined = ours.map(([name, value]) => [name, name.toLowerCase() === "cookie" ? [value, ...cookies].join("; ") : value]);
  return [...theirs.filter(([name]) => !names.has(name.toLowerCase())), ...joined].flat();
}

const pairsOf = (raw: readonly string[]): [string, string][] =>
  raw.flatMap((name, at): [string, string][] => (at % 2 === 0 && raw[at + 1] !== undefined ? [[name, raw[at + 1]!]] : []));
