import { generateKeyPairSync, randomBytes, sign } from "node:crypto";

/** A key and a self-signed certificate (X.509, RFC 5280) for connections between a browser and its exit only. */
export function temporaryCertificate(now: number): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const ecdsaWithSha256 = sequence(Buffer.from("06082a8648ce3d040302", "hex"));
  const name = sequence(encodeTagged(0x31, sequence(Buffer.from("0603550403", "hex"), encodeTagged(0x0c, Buffer.from("nuthatch")))));
  const serial = encodeTagged(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)]));
  const validity = sequence(time(now - DAY), time(now + 365 * DAY));
  const tbsCertificate = sequence(serial, ecdsaWithSha256, name, validity, name, publicKey.export({ type: "spki", format: "der" }));
  const signature = encodeTagged(0x03, Buffer.concat([Buffer.from([0]), sign("sha256", tbsCertificate, privateKey)]));
  const lines =
    sequence(tbsCertificate, ecdsaWithSha256, signature)
      .toString("base64")
      .match(/.{1,64}/g) ?? [];
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }) as string,
    cert: ["-----BEGIN CERTIFICATE-----", ...lines, "-----END CERTIFICATE-----", ""].join("\n"),
  };
}

const DAY = 86_400_000;

const sequence = (...parts: Buffer[]): Buffer => encodeTagged(0x30, Buffer.concat(parts));

function encodeTagged(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const time = (at: number) => encodeTagged(0x17, Buffer.from(`${new Date(at).toISOString().slice(2, 19).replace(/\D/g, "")}Z`));
