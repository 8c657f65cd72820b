/** Something about browsers that a person can put right. */
export class BrowserError extends Error {
  readonly hint: string;
  constructor(message: string, hint: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "BrowserError";
    this.hint = hint;
  }
}
