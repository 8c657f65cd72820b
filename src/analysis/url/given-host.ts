import { partsOf } from "./parts.ts";

/** Enough for any name with a port. */
const MAX_LENGTH = 300;

/**
 * Parses a host as people write it: a name or address, with or without a port, also as a URL, with a leading `*.`, in capitals or with a
 * trailing dot. Returns it as in URLs, with its port unless that is 80 or 443; undefined if it is not a host.
 */
export function givenHost(text: string): string | undefined {
  const written = text.trim().replace(/^\*?\.(?=[^.])/, "");
  if (written.length > MAX_LENGTH || /[@\\\s*%]/.test(written)) return undefined;
  const url = /^https?:\/\//i.test(written) ? written : `http://${written}/`;
  if (!URL.canParse(url)) return undefined;
  const { pathname, search, hash } = new URL(url);
  if (pathname !== "/" || search !== "" || hash !== "") return undefined;
  const { host = "", hostname = "" } = partsOf(new URL(url).href) ?? {};
  // IPv6 addresses have brackets and colons; in a name each label has at most 63 characters.
  return hostname.startsWith("[") || /^[^.]{1,63}(\.[^.]{1,63})*$/.test(hostname) ? host : undefined;
}

/** The name of a host in the form that `givenHost` returns. */
export const withoutPort = (host: string): string => host.replace(/:\d+$/, "");
