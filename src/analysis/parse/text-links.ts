/** Links in plain text and Markdown: bracket syntax and bare URLs. One pass without backtracking. */

export interface TextLink {
  readonly href: string;
  readonly text: string;
}

const bareUrl = /https?:\/\/[^\s\x00-\x1f<>"`\\^{}|]{1,2048}/gi;

/** URLs in plain text, without the punctuation of the sentence around them. */
export function findUrls(text: string): TextLink[] {
  return Array.from(text.matchAll(bareUrl), ([found]) => ({ href: withoutPunctuation(found), text: "" }));
}

function withoutPunctuation(url: string): string {
  let end = url.length;
  let open = 0;
  for (const letter of url) open += letter === "(" ? 1 : letter === ")" ? -1 : 0;
  for (; end > 0; end -= 1) {
    const last = url[end - 1]!;
    if (last === ")" && open < 0) open += 1;
    else if (!".,;:!?'*_~]".includes(last)) break;
  }
  return url.slice(0, end);
}

interface Bracket {
  /** Index of its first piece in `shown`. */
  readonly from: number;
  readonly isImage: boolean;
}

const destination =
  /\([ \t\n]{0,99}(?:<([^<>\n]{0,2048})>|([^\s<>()]{1,2048}(?:\([^\s<>()]{0,512}\)[^\s<>()]{0,512}){0,4})|)(?:[ \t\n]{1,99}(?:"[^"]{0,1024}"|'[^']{0,1024}'|\([^()]{0,1024}\)))?[ \t\n]{0,99}\)/y;
const autolink = /<(https?:\/\/[^\s<>]{1,2048})>/iy;
const definition = /^ {0,3}\[([^\]\n]{1,256})\]:[ \t]{0,99}<?([^\s<>]{1,2048})>?/gm;
/** Limit on open brackets. */
const MAX_OPEN = 32;

/** The links of a Markdown block, and its visible text. */
export function findLinks(source: string): { links: TextLink[]; shown: string } {
  const links: TextLink[] = [];
  const text = source.replace(definition, (_, label: string, href: string) => {
    links.push({ href, text: label });
    return "";
  });
  const open: Bracket[] = [];
  // An array of pieces, because a string that is alternately extended and cut is copied each time.
  const shown: string[] = [];
  let at = 0;
  while (at < text.length) {
    const next = nextMark(text, at);
    if (next > at) {
      const words = text.slice(at, next);
      shown.push(words);
      // A URL inside brackets is the text of a link.
      if (open.length === 0 && words.includes("://")) for (const link of findUrls(words)) links.push(link);
      at = next;
      continue;
    }
    const letter = text[at]!;
    if (letter === "\\") {
      shown.push(text[at + 1] ?? "");
      at += 2;
    } else if (letter === "[") {
      const isImage = text[at - 1] === "!";
      if (isImage) shown.push(shown.pop()!.slice(0, -1));
      if (open.length === MAX_OPEN) open.shift();
      open.push({ from: shown.length, isImage });
      at += 1;
    } else if (letter === "]") {
      at = closeBracket(text, at, { open, shown, links });
    } else {
      const match = matchAt(autolink, text, at);
      if (match !== null) links.push({ href: match[1]!, text: "" });
      shown.push(match?.[1] ?? letter);
      at += match?.[0].length ?? 1;
    }
  }
  return { links, shown: shown.join("") };
}

function closeBracket(text: string, at: number, state: { open: Bracket[]; shown: string[]; links: TextLink[] }): number {
  const bracket = state.open.pop();
  const match = bracket === undefined ? null : matchAt(destination, text, at + 1);
  if (bracket === undefined || match === null) return at + 1;
  const href = match[1] ?? match[2] ?? "";
  if (!bracket.isImage && href !== "") state.links.push({ href, text: state.shown.slice(bracket.from).join("") });
  return at + 1 + match[0].length;
}

const mark = /[[\]<\\]/g;

function nextMark(text: string, from: number): number {
  mark.lastIndex = from;
  return mark.exec(text)?.index ?? text.length;
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
