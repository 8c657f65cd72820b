/** A browser problem that the user can fix; `hint` says how. */
export class BrowserError extends Error {
  readonly hint: string;
  constructor(message: string, hint: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "BrowserError";
    this.hint = hint;
  }
}
