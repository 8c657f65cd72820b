/** RFC 9309 §2.2.1: a product token is letters, `_` and `-`. */
export const isProductToken = (text: string): boolean => /^[A-Za-z_-]+$/.test(text);

/** `nuthatch/0.1 (+https://…)` → `nuthatch`. */
export const productTokenOf = (userAgent: string): string => /^[A-Za-z_-]*/.exec(userAgent.trim())![0];

/**
 * The names on a user-agent line, in lower case and without versions. Also accepts what the grammar does not allow but the author clearly
 * meant: several names on one line, digits in names, a star at the end of a name.
 */
export function namesOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[\s,]+/)
    .map((name) => (name === "*" ? name : name.replace(/[/*].*$/s, "")))
    .filter((name) => name !== "");
}
