/** The response headers we read. Everything else a server says is left where it is. */
export interface Head {
  contentType: string | undefined;
  contentEncoding: string;
  contentLength: number | undefined;
  isChunked: boolean;
  location: Buffer | undefined;
  retryAfter: string | undefined;
  etag: string | undefined;
  lastModified: string | undefined;
  readonly robotsTags: string[];
  /** Bytes of all headers, with what stands between them. */
  size: number;
}

/** From the name and value pairs as they came over the wire. Of a header that may come once, the first counts. */
export function readHead(raw: readonly Buffer[]): Head {
  const head: Head = {
    contentType: undefined,
    contentEncoding: "",
    contentLength: undefined,
    isChunked: false,
    location: undefined,
    retryAfter: undefined,
    etag: undefined,
    lastModified: undefined,
    robotsTags: [],
    size: 0,
  };
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = raw[i]!;
    head.size += name.length + raw[i + 1]!.length + 4;
    // The names below are 4, 8, or 11 to 17 bytes long; most others need not become strings.
    if (name.length === 4 || name.length === 8 || (name.length > 10 && name.length < 18)) {
      readHeader(head, name.toString("latin1").toLowerCase(), raw[i + 1]!);
    }
  }
  return head;
}

/** All of them, as somebody reads them. */
export const pairsOf = (raw: readonly Buffer[]): [name: string, value: string][] =>
  Array.from({ length: raw.length >> 1 }, (_, at) => [raw[2 * at]!.toString("latin1").toLowerCase(), raw[2 * at + 1]!.toString("latin1")]);

function readHeader(head: Head, name: string, value: Buffer): void {
  switch (name) {
    case "etag":
      head.etag ??= validator(value);
      break;
    case "location":
      head.location ??= value;
      break;
    case "retry-after":
      head.retryAfter ??= value.toString("latin1");
      break;
    case "content-type":
      head.contentType ??= value.toString("latin1");
      break;
    case "x-robots-tag":
      head.robotsTags.push(value.toString("latin1"));
      break;
    case "last-modified":
      head.lastModified ??= validator(value);
      break;
    case "content-length":
      head.contentLength ??= Number(value.toString("latin1"));
      break;
    case "transfer-encoding":
      // RFC 9112 §7: chunked comes last, or the message ends with its connection.
      head.isChunked = /chunked\s*$/i.test(value.toString("latin1").slice(-100));
      break;
    case "content-encoding":
      head.contentEncoding += `,${value.toString("latin1")}`;
      break;
  }
}

/** Validators are kept and sent back, so they must be short and fit a header line. */
function validator(value: Buffer): string | undefined {
  const text = value.toString("latin1");
  return isSendable(text) ? text : undefined;
}

export function isSendable(text: string): boolean {
  return text !== "" && text.length <= 1024 && !/[^\t\x20-\x7e\x80-\xff]/.test(text);
}

/** The media type without its parameters; undefined when there is none worth the name, so that the body is looked at instead. */
export function essenceOf(contentType: string | undefined): string | undefined {
  const essence = /^[^;,]*/
    .exec(contentType ?? "")![0]
    .trim()
    .toLowerCase();
  return essence.includes("/") ? essence : undefined;
}
