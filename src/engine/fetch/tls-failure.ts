import { isIP } from "node:net";
import type { PeerCertificate } from "node:tls";
import { UnreachableError } from "./failure.ts";

/** The host, and its certificate if it was received. */
export interface HandshakeInfo {
  readonly hostname: string;
  readonly certificate: PeerCertificate | undefined;
}

const REPLACE_HINT = "its owner has to replace it";

/** Certificates that fail verification, by OpenSSL's error code. */
const certificateFaults: Readonly<Record<string, (info: HandshakeInfo, error: Error) => string>> = {
  CERT_HAS_EXPIRED: expired,
  CERT_NOT_YET_VALID: notYetValid,
  ERR_TLS_CERT_ALTNAME_INVALID: wrongName,
  DEPTH_ZERO_SELF_SIGNED_CERT: ({ hostname }) =>
    `the certificate of ${hostname} is self-signed; to trust it, save it as a PEM file and pass --ca FILE`,
  SELF_SIGNED_CERT_IN_CHAIN: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT: unknownAuthority,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: incompleteChain,
  CERT_REVOKED: ({ hostname }) => `the certificate of ${hostname} has been revoked; ${REPLACE_HINT}`,
  CERT_SIGNATURE_FAILURE: ({ hostname }) => `the signature on the certificate of ${hostname} is wrong; ${REPLACE_HINT}`,
  EE_KEY_TOO_SMALL: weakKey,
  CA_KEY_TOO_SMALL: weakKey,
  CA_MD_TOO_WEAK: weakKey,
};

/** Handshakes that end before there is a certificate, by part of the error code: the rest differs between versions. */
const handshakeFaults: readonly (readonly [RegExp, (info: HandshakeInfo) => string])[] = [
  [
    /UNSUPPORTED_PROTOCOL|ALERT_PROTOCOL_VERSION|VERSION_TOO_LOW/,
    ({ hostname }) => `${hostname} offers only TLS versions older than 1.2, which are not safe; its owner has to enable TLS 1.2 or 1.3`,
  ],
  [
    /WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST|RECORD_LAYER_FAILURE/,
    ({ hostname }) => `${hostname} does not speak TLS on this port; check the port, or try http:// instead of https://`,
  ],
  [/CERTIFICATE_REQUIRED/, ({ hostname }) => `${hostname} wants a client certificate, which is not supported`],
  [/UNRECOGNIZED_NAME/, ({ hostname }) => `the server has no certificate for ${hostname}; check the name`],
  [
    /HANDSHAKE_FAILURE|NO_SHARED_CIPHER|INSUFFICIENT_SECURITY|DH_KEY_TOO_SMALL/,
    ({ hostname }) => `${hostname} offers no TLS parameters that are safe enough; its owner has to update its TLS settings`,
  ],
];

/** Explains why there is no secure connection, and what can be done about it. */
export function tlsFailure(error: NodeJS.ErrnoException, info: HandshakeInfo): UnreachableError {
  const code = error.code ?? "";
  const explain = certificateFaults[code] ?? handshakeFaults.find(([pattern]) => pattern.test(code))?.[1];
  const detail = explain?.(info, error) ?? `no secure connection to ${info.hostname} (${printable(code || error.message)})`;
  return new UnreachableError("tls", detail, false, { cause: error });
}

function expired({ hostname, certificate }: HandshakeInfo): string {
  const until = certificate && Date.parse(certificate.valid_to);
  if (until !== undefined && until < Date.now())
    return `the certificate of ${hostname} expired on ${dateText(until)}; its owner has to renew it`;
  return `a certificate that vouches for the one of ${hostname} has expired; its owner has to renew the chain`;
}

function notYetValid({ hostname, certificate }: HandshakeInfo): string {
  const from = certificate && Date.parse(certificate.valid_from);
  const when = from !== undefined && from > Date.now() ? ` before ${dateText(from)}` : " yet";
  return `the certificate of ${hostname} is not valid${when}; check the clock of this computer, else its owner has to replace it`;
}

function wrongName({ hostname, certificate }: HandshakeInfo): string {
  const names = namesIn(certificate);
  const whose = names === "" ? "" : `: it is for ${names}`;
  const what = isIP(hostname) === 0 ? "name" : "address";
  return `the certificate of ${hostname} does not match its ${what}${whose}; check the ${what}, else ${REPLACE_HINT}`;
}

function unknownAuthority({ hostname, certificate }: HandshakeInfo): string {
  const issuer = issuerOf(certificate);
  return `the certificate of ${hostname} comes from an authority that is not trusted here${issuer}; to trust it, save the certificate of the authority as a PEM file and pass --ca FILE`;
}

/**
 * The server sent only its own certificate, and the issuer is unknown. OpenSSL does not say whether an intermediate certificate is missing
 * or the authority is private; but public authorities write into each certificate where theirs can be found.
 */
function incompleteChain({ hostname, certificate }: HandshakeInfo): string {
  const issuer = issuerOf(certificate);
  if (certificate?.infoAccess?.["CA Issuers - URI"] === undefined)
    return `the certificate of ${hostname} comes from an authority${issuer}, which is not trusted here and not sent along; if it is the authority of a company, save its certificate as a PEM file and pass --ca FILE; if it is an intermediate one, the owner of ${hostname} has to add it`;
  return `${hostname} does not send the intermediate certificate${issuer} that its own depends on; its owner has to add it, else save it as a PEM file and pass --ca FILE`;
}

function weakKey({ hostname }: HandshakeInfo): string {
  return `the certificate of ${hostname}, or one that vouches for it, has a key or signature that is too weak; ${REPLACE_HINT}`;
}

const dateText = (time: number) => new Date(time).toISOString().slice(0, 10);

function issuerOf(certificate: PeerCertificate | undefined): string {
  // In contrast to its type, it is empty if there is no certificate, and a list if there are several names.
  const { CN, O }: Partial<Record<"CN" | "O", string | string[]>> = certificate?.issuer ?? {};
  const name = [CN ?? O].flat()[0];
  return name === undefined ? "" : ` ("${printable(name)}")`;
}

const MAX_NAMES = 3;

function namesIn(certificate: PeerCertificate | undefined): string {
  const names = (certificate?.subjectaltname ?? "").split(", ").map((name) => name.replace(/^(DNS|IP Address):/, ""));
  const listedNames = names.slice(0, MAX_NAMES).filter(Boolean).map(printable).join(", ");
  return names.length > MAX_NAMES ? `${listedNames} and others` : listedNames;
}

/** The text of a certificate is chosen by its creator and shown in terminals: visible ASCII only, with a length limit. */
const printable = (text: string) =>
  text
    .replace(/[^\x20-\x7e]/g, "?")
    .replaceAll('"', "'")
    .slice(0, 80);
