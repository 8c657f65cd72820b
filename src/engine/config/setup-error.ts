/** Only for mistakes that the user can fix: an invalid flag, an unreadable file, an unknown option. */
export class SetupError extends Error {
  readonly hint: string;
  constructor(message: string, hint: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "SetupError";
    this.hint = hint;
  }
}
