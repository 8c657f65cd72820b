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

/** The request as undici sends it, without the empty line at its end. `headers`: names and values in turn. */
export function requestText(path: string, host: string, headers: readonly string[]): string {
  let text = `GET ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: keep-alive\r\n`;
  for (let at = 0; at + 1 < headers.length; at += 2) text += `${headers[at]}: ${headers[at + 1]}\r\n`;
  return text;
}

/** Of HTTP/1.1, which all speak but for servers of another century. */
export function responseHead(status: number, words: string, raw: readonly string[], isPrivate: boolean): string {
  const lines = [`HTTP/1.1 ${status} ${words}`.trimEnd()];
  for (let at = 0; at + 1 < raw.length; at += 2) {
    if (!isPrivate || !/^set-cookie2?$/i.test(raw[at]!)) lines.push(`${raw[at]}: ${raw[at + 1]}`);
  }
  return asText(lines);
}

const asText = (lines: readonly string[]) => lines.map((line) => `${oneLine(line)}\r\n`).join("");

/** Nothing a server sent begins a line of its own. */
const oneLine = (text: string) => text.replace(/[\r\n\0]+/g, " ");
