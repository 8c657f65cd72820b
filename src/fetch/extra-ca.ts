import { X509Certificate } from "node:crypto";
import tls, { createSecureContext, rootCertificates, type SecureContext } from "node:tls";
import { AccessError } from "./access-error.ts";

const HOW = "a PEM file with one or more -----BEGIN CERTIFICATE----- blocks";

/** Trust in the usual certificate authorities and in those of a PEM file. */
export function trustAlso(pem: string): SecureContext {
  const blocks = pem.match(/-----BEGIN (TRUSTED )?CERTIFICATE-----[^-]+-----END (TRUSTED )?CERTIFICATE-----/g) ?? [];
  if (blocks.length === 0) throw new AccessError("the CA file holds no certificate", HOW);
  for (const [index, block] of blocks.entries()) {
    try {
      new X509Certificate(block);
    } catch (cause) {
      throw new AccessError(`certificate ${index + 1} of the CA file cannot be read`, HOW, { cause });
    }
  }
  return createSecureContext({ ca: [...usual(), ...blocks] });
}

/** What Node trusts without a word from us, NODE_EXTRA_CA_CERTS included where it can tell (from 22.15 on). */
function usual(): readonly string[] {
  const { getCACertificates } = tls as { getCACertificates?: (kind: "default") => string[] };
  return getCACertificates?.("default") ?? rootCertificates;
}
