import { X509Certificate } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import tls, { createSecureContext, rootCertificates, type SecureContext } from "node:tls";
import { AccessError } from "./access-error.ts";

const FORMAT_HINT = "a PEM file with one or more -----BEGIN CERTIFICATE----- blocks";

/** Trusts the default certificate authorities and those of a PEM file. */
export function trustExtraCa(pem: string): SecureContext {
  const blocks = certificatesIn(pem);
  if (blocks.length === 0) throw new AccessError("the CA file holds no certificate", FORMAT_HINT);
  for (const [index, block] of blocks.entries()) {
    try {
      new X509Certificate(block);
    } catch (cause) {
      throw new AccessError(`certificate ${index + 1} of the CA file cannot be read`, FORMAT_HINT, { cause });
    }
  }
  return createSecureContext({ ca: [...defaultAuthorities(), ...blocks] });
}

const certificatesIn = (pem: string): readonly string[] => pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];

/** The authorities that Node trusts by default. Node cannot list them before 22.15, so the file in NODE_EXTRA_CA_CERTS is read again. */
function defaultAuthorities(): readonly string[] {
  const { getCACertificates } = tls as { getCACertificates?: (kind: "default") => string[] };
  if (getCACertificates !== undefined) return getCACertificates("default");
  const extra = process.env.NODE_EXTRA_CA_CERTS;
  return extra && existsSync(extra) ? [...rootCertificates, ...certificatesIn(readFileSync(extra, "latin1"))] : rootCertificates;
}
