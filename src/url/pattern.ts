import { compileGlob } from "./glob.ts";

/** A pattern somebody typed that cannot work; `hint` says what to do about it. */
export class PatternError extends Error {
  readonly hint: string;
  constructor(message: string, hint: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "PatternError";
    this.hint = hint;
  }
}

/** Patterns that start with a slash see path and query; all others see the whole URL. */
export type Matcher = (url: string, pathAndQuery: string) => boolean;

/** `/regex/flags`, or a glob: `*` within a segment, `**` across segments, `?` one character. */
export function compilePattern(pattern: string): Matcher {
  if (pattern.trim() === "")
    throw new PatternError("a pattern is empty", "write a glob such as /blog/** or an expression such as /\\.pdf$/i");
  const regex = asRegex(pattern);
  if (regex) return (url) => regex.test(url);
  // Without a slash it could never match a whole URL: what is meant is the last part of one.
  const matches = compileGlob(pattern.includes("/") ? pattern : `**/${pattern}`);
  return pattern.startsWith("/") ? (_, pathAndQuery) => matches(pathAndQuery) : (url) => matches(url);
}

/** `/en/us` could be read both ways. It is a path unless it says something a glob cannot, or has neither inner slash nor odd flags. */
function asRegex(pattern: string): RegExp | undefined {
  const [, source, flags] = /^\/(.+)\/([dgimsuvy]*)$/.exec(pattern) ?? [];
  if (source === undefined || flags === undefined || source.includes("**")) return undefined;
  const saysMore = /[\\^$|()[\]+{}]|\.\*/.test(source);
  if (!saysMore && (/[/*?]/.test(source) || (flags !== "" && flags !== "i"))) return undefined;
  try {
    return new RegExp(source, flags.replaceAll(/[gy]/g, ""));
  } catch (cause) {
    throw new PatternError(`${pattern} is not a regular expression`, "check its brackets, or write a glob such as /blog/**", { cause });
  }
}
