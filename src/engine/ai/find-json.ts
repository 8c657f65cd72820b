/** Limit of opening brackets that are tried, because the text comes from a model and can be anything. */
const MAX_TRIES = 50;

/** The first JSON value in a text that `isWanted` accepts: models often write text before and after it. */
export function findJson(text: string, isWanted: (value: unknown) => boolean): unknown {
  const whole = parse(text);
  if (whole !== undefined && isWanted(whole)) return whole;
  let tries = 0;
  for (const { index } of text.matchAll(/[{[]/g)) {
    tries += 1;
    if (tries > MAX_TRIES) return undefined;
    const end = endOf(text, index);
    const value = end === undefined ? undefined : parse(text.slice(index, end));
    if (value !== undefined && isWanted(value)) return value;
  }
  return undefined;
}

/** The position of the bracket that closes this one. */
function endOf(text: string, start: number): number | undefined {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    if (character === '"') {
      at = endOfString(text, at);
      if (at < 0) return undefined;
    } else if (character === "{" || character === "[") depth += 1;
    else if (character === "}" || character === "]") {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return undefined;
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === '"') return at;
  }
  return -1;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined; // not JSON, which is what this function tests
  }
}
