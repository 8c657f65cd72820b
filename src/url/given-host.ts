import { partsOf } from "./parts.ts";

/** Long enough for any name with a port. */
const LONGEST = 300;

/**
 * A host as somebody wrote it: a name or address, with or without a port, also as a URL, with `*.` in front, in capitals or with a dot at its end. Returned
 * as URLs have it, with its port unless that is 80 or 443. Undefined if it is none.
 */
export function givenHost(text: string): string | undefined {
  const written = text.trim().replace(/^\*?\.(?=[^.])/, "");
  if (written.length > LONGEST || /[@\\\s*%]/.test(written)) return undefined;
  const url = /^https?:\/\//i.test(written) ? written : `http://${written}/`;
  if (!URL.canParse(url)) return undefined;
  const { pathname, search, hash } = new URL(url);
  if (pathname !== "/" || search !== "" || hash !== "") return undefined;
  const { host = "", hostname = "" } = partsOf(new URL(url).href) ?? {};
  // An IPv6 address has brackets and colons; of a name, each label has at most 63 characters.
  return hostname.startsWith("[") || /^[^.]{1,63}(\.[^.]{1,63})*$/.test(hostname) ? host : undefined;
}

/** The name of a host as `givenHost` returns it. */
export const withoutPort = (host: string): string => host.replace(/:\d+$/, "");
