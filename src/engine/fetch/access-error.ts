/** An error in headers, cookies, proxy or certificates that the user can fix. Its message never quotes a possible secret. */
export class AccessError extends Error {
  readonly hint: string;
  constructor(message: string, hint: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "AccessError";
    this.hint = hint;
  }
}
