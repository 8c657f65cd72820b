/** HTTP heads for archives: status line and headers, each with its line end. */

const ENCODING_HEADERS = /^(?:content|transfer)-encoding$/i;
const TRANSFER_HEADERS = /^(?:content-encoding|transfer-encoding|content-length)$/i;

/**
 * Bodies are stored decoded, so the headers for codings and the original length would be wrong; they are kept under other
 * names. `length` is that of the stored body, undefined if there is none. A head that is still correct is not changed.
 */
export function headAsStored(head: string, length: number | undefined): string {
  const [first = "", ...lines] = head.split("\r\n").filter(Boolean);
  const isCoded = lines.some((line) => ENCODING_HEADERS.test(nameIn(line)));
  const lengthLine = lines.find((line) => /^content-length:/i.test(line));
  const isCorrect = !isCoded && (lengthLine === undefined || length === undefined || Number(valueIn(lengthLine)) === length);
  if (isCorrect) return head;
  const kept = lines.map((line) => (TRANSFER_HEADERS.test(nameIn(line)) ? `X-Archive-Orig-${line}` : line));
  return [first, ...kept, ...(length === undefined ? [] : [`Content-Length: ${length}`])].map((line) => `${line}\r\n`).join("");
}

/** The media type, without its parameters. */
export function contentTypeIn(head: string): string | undefined {
  const line = head.split("\r\n").find((each) => /^content-type:/i.test(each));
  const type = line === undefined ? "" : valueIn(line).split(";")[0]!.trim();
  return type === "" ? undefined : type;
}

/** A head made from stored values, for responses whose original head was not kept. */
export const headOf = (status: number, words: string, headers: readonly (readonly [name: string, value: string | undefined])[]): string =>
  [`HTTP/1.1 ${status} ${words}`.trimEnd(), ...headers.flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}`]))]
    .map((line) => `${line.replace(/[\r\n\0]+/g, " ")}\r\n`)
    .join("");

const nameIn = (line: string) => line.slice(0, Math.max(0, line.indexOf(":"))).trim();
const valueIn = (line: string) => line.slice(line.indexOf(":") + 1).trim();
