/** Thrown only for mistakes a person can fix: a bad flag, an unreadable file, an option that does not exist. */
export class SetupError extends Error {
  readonly hint: string;
  constructor(message: string, hint: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "SetupError";
    this.hint = hint;
  }
}
