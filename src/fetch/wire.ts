/** What went over the wire, for archives: both heads as they were, but for what is between the server and whoever runs us alone. */
export interface Wire {
  /** First line and headers, each with its end of line; a byte is a character. */
  readonly request: string;
  readonly response: string;
  /** The address that answered, where no proxy stood before it. */
  readonly address: string | undefined;
  /** Of an answer that is no page: what it said, with its codings undone. */
  readonly aside: Aside | undefined;
}

export interface Aside {
  readonly bytes: Uint8Array;
  /** There was more. */
  readonly isCut: boolean;
}

/** A request as it will be kept: without what was given to be let in. */
export interface RequestHead {
  readonly text: string;
  /** Something was left out. What the server hands to whoever it let in is nobody else's either. */
  readonly isPrivate: boolean;
}

/** The lines undici puts before ours are there too. */
export function requestHead(path: string, host: string, own: readonly string[], sent: readonly string[]): RequestHead {
  const lines = [`GET ${path} HTTP/1.1`, `host: ${host}`, "connection: keep-alive"];
  for (let at = 0; at + 1 < own.length; at += 2) lines.push(`${own[at]}: ${own[at + 1]}`);
  return { text: asText(lines), isPrivate: sent.length > own.length };
}

/** The parser does not tell which version of HTTP it read: 1.1, but for servers of another century. */
export function responseHead(status: number, words: string, raw: readonly Buffer[], isPrivate: boolean): string {
  const lines = [`HTTP/1.1 ${status} ${words}`.trimEnd()];
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = raw[at]!.toString("latin1");
    if (isPrivate && /^set-cookie2?$/i.test(name)) continue;
    lines.push(`${name}: ${raw[at + 1]!.toString("latin1")}`);
  }
  return asText(lines);
}

const asText = (lines: readonly string[]) => lines.map((line) => `${oneLine(line)}\r\n`).join("");

/** Nothing a server sent begins a line of its own. */
const oneLine = (text: string) => text.replace(/[\r\n\0]+/g, " ");
