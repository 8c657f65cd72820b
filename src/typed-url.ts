/** A host name with a dot, an address or localhost, with what may follow it: what people type for a URL. */
const SCHEMELESS = /^(?:(?:[\p{L}\p{N}_-]+\.)+[\p{L}\p{N}-]+\.?|localhost|\[[0-9a-f:.]+\])(?::\d{1,5})?(?:[/?#]|$)/iu;
const NEAR = /^(?:localhost|[\d.]+|\[[0-9a-f:.]+\])(?::|[/?#]|$)/i;

/** `example.org` means https://example.org, as in browsers; what is near (an address, localhost) seldom has a certificate, so that is plain HTTP. */
export function typedUrl(text: string): string {
  const typed = text.trim();
  if (!SCHEMELESS.test(typed)) return text;
  return `${NEAR.test(typed) ? "http" : "https"}://${typed}`;
}

/** Whether a URL has a user or a password before its host. Those are never sent, so whoever types one is told. */
export function namesUser(text: string): boolean {
  const typed = text.trim();
  if (!URL.canParse(typed)) return false;
  const { username, password } = new URL(typed);
  return username !== "" || password !== "";
}

/** `typedUrl` for an argument that may be given several times. */
export const typedUrls = (text: string, others: readonly string[] = []): string[] => [...others, typedUrl(text)];
