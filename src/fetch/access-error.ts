/** Something about headers, cookies, proxy or certificates that a person can put right; never quotes what may be a secret. */
export class AccessError extends Error {
  readonly hint: string;
  constructor(message: string, hint: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "AccessError";
    this.hint = hint;
  }
}
