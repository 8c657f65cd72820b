/** A host name with a dot, an IP address or localhost, and what may follow: what people type instead of a URL. */
const URL_WITHOUT_SCHEME = /^(?:(?:[\p{L}\p{N}_-]+\.)+[\p{L}\p{N}-]+\.?|localhost|\[[0-9a-f:.]+\])(?::\d{1,5})?(?:[/?#]|$)/iu;
const LOCAL_OR_IP = /^(?:localhost|[\d.]+|\[[0-9a-f:.]+\])(?::|[/?#]|$)/i;

/**
 * `example.org` means https://example.org, as in browsers; IP addresses and localhost seldom have a certificate, so they get plain HTTP.
 */
export function typedUrl(text: string): string {
  const typed = text.trim();
  if (!URL_WITHOUT_SCHEME.test(typed)) return text;
  return `${LOCAL_OR_IP.test(typed) ? "http" : "https"}://${typed}`;
}

/** Whether a URL contains a user name or password. Those are never sent, so the person who typed it is warned. */
export function hasUserInfo(text: string): boolean {
  const typed = text.trim();
  if (!URL.canParse(typed)) return false;
  const { username, password } = new URL(typed);
  return username !== "" || password !== "";
}

/** `typedUrl` for an argument that may be given several times. */
export const typedUrls = (text: string, others: readonly string[] = []): string[] => [...others, typedUrl(text)];
