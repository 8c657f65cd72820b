/** The raw request and response heads for archives, without the headers that are private to the user. */
export interface RawExchange {
  /** First line and headers, each with its line ending; one character per byte. */
  readonly request: string;
  readonly response: string;
  /** The IP address that answered, if no proxy was used. */
  readonly address: string | undefined;
  /** The decoded body of a response that is not a page. */
  readonly aside: NonPageBody | undefined;
}

export interface NonPageBody {
  readonly bytes: Uint8Array;
  /** The body was longer. */
  readonly isCut: boolean;
}

/** A request as it will be stored: without credentials. */
export interface RequestHead {
  readonly text: string;
  /** Credentials were left out. Cookies that the server sets in response are private, too. */
  readonly isPrivate: boolean;
}

/** The request as undici sends it, without the final empty line. `headers`: names and values alternating. */
export function requestText(path: string, host: string, headers: readonly string[]): string {
  let text = `GET ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: keep-alive\r\n`;
  for (let at = 0; at + 1 < headers.length; at += 2) text += `${headers[at]}: ${headers[at + 1]}\r\n`;
  return text;
}

/** As HTTP/1.1, which practically all servers speak. */
export function responseHead(status: number, statusText: string, raw: readonly string[], isPrivate: boolean): string {
  const lines = [`HTTP/1.1 ${status} ${statusText}`.trimEnd()];
  for (let at = 0; at + 1 < raw.length; at += 2) {
    if (!isPrivate || !/^set-cookie2?$/i.test(raw[at]!)) lines.push(`${raw[at]}: ${raw[at + 1]}`);
  }
  return joinLines(lines);
}

const joinLines = (lines: readonly string[]) => lines.map((line) => `${oneLine(line)}\r\n`).join("");

/** Replaces line breaks, so that no text from a server can start a new line. */
const oneLine = (text: string) => text.replace(/[\r\n\0]+/g, " ");
