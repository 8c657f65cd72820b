/** Variables of the environment that are read besides those of the options (`NUTHATCH_MAX_DEPTH` and so on). */
export const environment: readonly { readonly name: string; readonly about: string }[] = [
  { name: "NUTHATCH_DB", about: "the data file, unless --db names another" },
  { name: "NO_COLOR", about: "set to anything: no colours (https://no-color.org)" },
  { name: "FORCE_COLOR", about: "set to anything but 0: colours even where no terminal is; NO_COLOR comes first" },
  { name: "CI", about: "set to anything: no live view and no questions, as if no terminal was there" },
  { name: "TERM", about: "dumb: no colours and no live view" },
];
