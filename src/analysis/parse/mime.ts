/** Parses content types by the WHATWG MIME Sniffing standard (§4.4). */

export interface Mime {
  /** `type/subtype` in lower case. */
  readonly essence: string;
  readonly parameters: ReadonlyMap<string, string>;
}

const MAX_LABELS = 64;
const MAX_LABEL_LENGTH = 256;

/** Caches results by content type, because the pages of a site mostly have the same one. */
export function perLabel<T>(answer: (contentType: string) => T): (contentType: string) => T {
  const known = new Map<string, T>();
  return (contentType) => {
    const before = known.get(contentType);
    if (before !== undefined) return before;
    const said = answer(contentType);
    if (known.size >= MAX_LABELS) known.clear();
    if (contentType.length < MAX_LABEL_LENGTH) known.set(contentType, said);
    return said;
  };
}

const token = /^[-!#$%&'*+.^_`|~0-9A-Za-z]+$/;
const valueCharacters = /^[\t\x20-\x7e\x80-\xff]*$/;

export function parseMime(text: string): Mime | undefined {
  const input = trimEnd(trimStart(text));
  const semicolon = input.indexOf(";");
  const essence = semicolon < 0 ? input : trimEnd(input.slice(0, semicolon));
  const slash = essence.indexOf("/");
  if (slash < 0 || !token.test(essence.slice(0, slash)) || !token.test(essence.slice(slash + 1))) return undefined;

  const parameters = new Map<string, string>();
  for (const [name, value] of readParameters(input, semicolon)) {
    if (!parameters.has(name) && token.test(name) && valueCharacters.test(value)) parameters.set(name, value);
  }
  return { essence: essence.toLowerCase(), parameters };
}

/** All parameters as written, duplicates included: some servers send an empty charset before the real one. */
export function readParameters(input: string, from: number): [name: string, value: string][] {
  const found: [string, string][] = [];
  let at = from;
  while (at >= 0 && at < input.length) {
    const start = at + 1;
    at = input.slice(start).search(/[;=]/) + start;
    if (at < start) break;
    const name = trimStart(input.slice(start, at)).toLowerCase();
    if (input[at] === ";") continue;
    if (input[at + 1] === '"') {
      const quoted = readQuoted(input, at + 2);
      found.push([name, quoted.value]);
      at = input.indexOf(";", quoted.end);
    } else {
      const end = input.indexOf(";", at + 1);
      const value = trimEnd(input.slice(at + 1, end < 0 ? input.length : end));
      if (value !== "") found.push([name, value]);
      at = end;
    }
  }
  return found;
}

function readQuoted(input: string, from: number): { value: string; end: number } {
  let value = "";
  let at = from;
  while (at < input.length && input[at] !== '"') {
    if (input[at] === "\\" && at + 1 < input.length) at += 1;
    value += input[at];
    at += 1;
  }
  return { value, end: at };
}

// HTTP white space is narrower than the rest of the web's, and /[ ]+$/ would be quadratic.
const isHttpSpace = (code: number) => code === 32 || code === 9 || code === 10 || code === 13;

function trimStart(text: string): string {
  let start = 0;
  while (isHttpSpace(text.charCodeAt(start))) start += 1;
  return text.slice(start);
}

function trimEnd(text: string): string {
  let end = text.length;
  while (end > 0 && isHttpSpace(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
