let last: { readonly url: string; readonly address: URL | undefined } | undefined;

/** The parsed URL, or undefined if it is invalid. Nearly every field needs the page's URL, so the last one parsed is cached. */
export function addressOf(url: string): URL | undefined {
  if (last?.url !== url) last = { url, address: URL.canParse(url) ? new URL(url) : undefined };
  return last.address;
}
