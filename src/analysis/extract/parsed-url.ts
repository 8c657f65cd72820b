let lastParsed: { readonly url: string; readonly address: URL | undefined } | undefined;

/** The parsed URL, or undefined if it is invalid. Nearly every field needs the page's URL, so the last one parsed is cached. */
export function urlOf(url: string): URL | undefined {
  if (lastParsed?.url !== url) lastParsed = { url, address: URL.canParse(url) ? new URL(url) : undefined };
  return lastParsed.address;
}
