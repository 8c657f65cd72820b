let last: { readonly url: string; readonly address: URL | undefined } | undefined;

/** The parts of an address, undefined if it is none. Nearly every field asks for those of its page: they are read once. */
export function addressOf(url: string): URL | undefined {
  if (last?.url !== url) last = { url, address: URL.canParse(url) ? new URL(url) : undefined };
  return last.address;
}
