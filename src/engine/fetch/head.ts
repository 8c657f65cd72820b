/** The response headers we read. All others are ignored. */
export interface Head {
  contentType: string | undefined;
  contentEncoding: string;
  /** Without a last "chunked". */
  transferEncoding: string;
  contentLength: number | undefined;
  isChunked: boolean;
  location: string | undefined;
  retryAfter: string | undefined;
  etag: string | undefined;
  lastModified: string | undefined;
  readonly robotsTags: string[];
}

/** From names and values alternating as received, one character per byte. If a single-valued header is repeated, the first counts. */
export function readHead(raw: readonly string[]): Head {
  const head: Head = {
    contentType: undefined,
    contentEncoding: "",
    transferEncoding: "",
    contentLength: undefined,
    isChunked: false,
    location: undefined,
    retryAfter: undefined,
    etag: undefined,
    lastModified: undefined,
    robotsTags: [],
  };
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = raw[i]!;
    // The names below are 4, 8, or 11 to 17 bytes long; most others are skipped.
    if (name.length === 4 || name.length === 8 || (name.length > 10 && name.length < 18)) readHeader(head, name.toLowerCase(), raw[i + 1]!);
  }
  return head;
}

/** Header names and values from undici as text: one character per byte, because headers have no other encoding. */
export const latin1Texts = (raw: readonly Buffer[]): string[] => raw.map((bytes) => bytes.toString("latin1"));

/** Bytes of the headers, with the separators of each line. */
export const sizeOf = (raw: readonly string[]): number => raw.reduce((size, text) => size + text.length + 2, 0);

/** The UTF-8 bytes of a text, one character per byte. */
export const utf8AsLatin1 = (text: string): string => Buffer.from(text).toString("latin1");

/** All headers as pairs, for display. */
export const pairsOf = (raw: readonly string[]): [name: string, value: string][] =>
  Array.from({ length: raw.length >> 1 }, (_, at) => [raw[2 * at]!.toLowerCase(), raw[2 * at + 1]!]);

function readHeader(head: Head, name: string, value: string): void {
  switch (name) {
    case "etag":
      head.etag ??= usableValidator(value);
      break;
    case "location":
      head.location ??= value;
      break;
    case "retry-after":
      head.retryAfter ??= value;
      break;
    case "content-type":
      head.contentType ??= value;
      break;
    case "x-robots-tag":
      head.robotsTags.push(value);
      break;
    case "last-modified":
      head.lastModified ??= usableValidator(value);
      break;
    case "content-length":
      head.contentLength ??= Number(value);
      break;
    case "transfer-encoding":
      // RFC 9112 §7: if chunked is not the last coding, the message ends with its connection.
      head.isChunked = /chunked\s*$/i.test(value.slice(-100));
      // Other codings are undone like those of the content, on which they were applied.
      head.transferEncoding += `,${head.isChunked ? value.trimEnd().slice(0, -"chunked".length) : value}`;
      break;
    case "content-encoding":
      head.contentEncoding += `,${value}`;
      break;
  }
}

/** Validators are stored and sent back, so they must be short and valid in a header line. */
const usableValidator = (value: string): string | undefined => (isSendable(value) ? value : undefined);

export function isSendable(text: string): boolean {
  return text !== "" && text.length <= 1024 && !/[^\t\x20-\x7e\x80-\xff]/.test(text);
}

/** In the order in which they were applied. */
export const codingsOf = ({ contentEncoding, transferEncoding }: Head): string => contentEncoding + transferEncoding;

/** The media type without its parameters; undefined if there is no valid one, so that the body is examined instead. */
export function mediaTypeOf(contentType: string | undefined): string | undefined {
  const mediaType = /^[^;,]*/
    .exec(contentType ?? "")![0]
    .trim()
    .toLowerCase();
  return mediaType.includes("/") ? mediaType : undefined;
}
