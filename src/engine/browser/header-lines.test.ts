import { X509Certificate } from "node:crypto";
import { expect, test } from "vitest";
import { endToEnd, withHeaderLines } from "./header-lines.ts";
import { findOwner, isOwnUser } from "./own-user.ts";
import { temporaryCertificate } from "./temporary-certificate.ts";

test.each([
  ["lines stay as they are, and as often as they came", ["X-A", "1", "x-a", "2"], ["X-A", "1", "x-a", "2"]],
  ["those for the next one alone go", ["Connection", "close", "Keep-Alive", "1", "TE", "x", "Upgrade", "h2c", "A", "b"], ["A", "b"]],
  ["and those that Connection names", ["Connection", "X-Mine, close", "X-Mine", "1", "A", "b"], ["A", "b"]],
  ["but not what the body needs", ["Connection", "content-length", "Content-Length", "3"], ["Content-Length", "3"]],
  ["what is said to proxies stays with them", ["Proxy-Authorization", "secret", "Proxy-Connection", "x"], []],
  ["two lengths of one body are not made one", ["Transfer-Encoding", "chunked", "Content-Length", "3"], ["Content-Length", "3"]],
] as [string, string[], string[]][])("%s", (_, raw, expected) => {
  expect(endToEnd(raw)).toEqual(expected);
});

test.each([
  ["ours replace theirs, whatever the case", ["host", "evil", "A", "b"], ["Host", "good"], ["A", "b", "Host", "good"]],
  ["cookies come together", ["Cookie", "theirs=1"], ["cookie", "ours=1"], ["cookie", "ours=1; theirs=1"]],
] as [string, string[], string[], string[]][])("%s", (_, raw, own, expected) => {
  expect(withHeaderLines(raw, own)).toEqual(expected);
});

const row = (local: string, remote: string, uid: number) =>
  `   0: ${local} ${remote} 01 00000000:00000000 00:00000000 00000000  ${uid}        0 5149081 1 0000 20 4 30 10 -1\n`;

test.each([
  ["the socket at the other end is found by both ports", 0x1234, 0x5678, 1000],
  ["our own end is another's", 0x5678, 0x1234, 0],
  ["one that is not there has no owner", 0x1234, 0x9999, undefined],
] as const)("%s", (_, from, to, expected) => {
  const table = `  sl  local_address …\n${row("0100007F:5678", "0100007F:1234", 0)}${row("0100007F:1234", "0100007F:5678", 1000)}`;
  expect(findOwner(table, "0100007F", from, to)).toBe(expected);
});

test.skipIf(process.platform !== "linux")("whose row slips through is looked for again, and another's is not", async () => {
  const socket = { remotePort: 0x1234, localPort: 0x5678 };
  const ofOwner = (uid: number) => row("0100007F:1234", "0100007F:5678", uid);
  const looked = (...tables: string[]) => isOwnUser(socket, async () => [tables.shift() ?? ""]);
  const own = process.getuid!();
  expect(await looked("", "", ofOwner(own))).toBe(true);
  expect(await looked("", ofOwner(own + 1), ofOwner(own))).toBe(false);
  expect(await looked()).toBe(false);
});

test("a certificate for an hour is one that others can read, and signed by its own key", () => {
  const { cert } = temporaryCertificate(Date.UTC(2026, 0, 31));
  const read = new X509Certificate(cert);
  expect([read.subject, read.issuer, read.validFrom]).toEqual(["CN=nuthatch", "CN=nuthatch", "Jan 30 00:00:00 2026 GMT"]);
  expect(read.verify(read.publicKey)).toBe(true);
});
