// Takes Markdown apart again, and compares its parts with what they should be.
import { letters, signs } from "./markdown-truth.mjs";

/** A page's Markdown taken apart again: what is code, a row of a table, an item of a list, and what is in none of these. */
export function partsOf(markdown) {
  const parts = { codes: [], rows: [], items: "", lines: [] };
  let fence;
  let quotes = 0;
  let code = [];
  for (const line of markdown.split("\n")) {
    const [, before, mark] = /^((?:\s*(?:>|[-*]\s|\d+[.)]\s))*)\s*(`{3,})/.exec(line) ?? [];
    if (fence) {
      if (mark && mark.length >= fence.length && /`\s*$/.test(line)) {
        parts.codes.push(code);
        fence = undefined;
      } else code.push(quotes > 0 ? line.replace(new RegExp(`^(?:\\s*>){1,${quotes}}`), "") : line);
      continue;
    }
    if (mark) {
      fence = mark;
      quotes = before.split(">").length - 1;
      code = [];
      parts.lines.push("code");
      continue;
    }
    parts.lines.push(line);
    if (/^[\s>]*\|.*\|$/.test(line)) {
      // A sign within code or after a backslash ends no cell.
      const cells = line
        .replace(/\\\|/g, "\u0001")
        .split("|")
        .slice(1, -1)
        .map((cell) => letters(plain(cell)));
      parts.rows.push(cells.filter((cell) => cell !== ""));
    } else if (/^[\s>]*(?:[-*]|\d+[.)])\s/.test(line) || /^\s{2,}\S/.test(line))
      parts.items += letters(plain(line.replace(/^[\s>]*(?:(?:[-*]|\d+[.)])\s+)+/, "")));
  }
  if (fence) parts.codes.push(code);
  return { ...parts, spans: signs(parts.lines.flatMap((line) => (/`/.test(line) ? [line.replace(/\\\|/g, "|")] : [])).join("\n")) };
}

/** Text without addresses, tags and escapes. */
export const plain = (markdown) =>
  markdown
    .replace(/\]\((?:<[^>]*>|(?:[^()\s]|\([^()]*\))*)(?:\s+"[^"]*")?\)/g, "]")
    .replace(/<br>|<\/?(?:ul|ol|li|sub|sup|p)(?: [^>]*)?>/g, " ")
    .replace(/&(lt|gt|amp);/g, (_, name) => ({ lt: "<", gt: ">", amp: "&" })[name])
    .replace(/\\([!-/:-@[-`{-~])/g, "$1");

/** How alike two texts are, from 0 to 1: their edit distance by the longer one. Long ones are compared by their beginning. */
export function alike(a, b) {
  const [left, right] = [a.slice(0, 2000), b.slice(0, 2000)];
  let row = Uint32Array.from({ length: right.length + 1 }, (_, at) => at);
  for (let i = 1; i <= left.length; i += 1) {
    const next = new Uint32Array(right.length + 1);
    next[0] = i;
    for (let j = 1; j <= right.length; j += 1)
      next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (left[i - 1] === right[j - 1] ? 0 : 1));
    row = next;
  }
  return 1 - row[right.length] / Math.max(1, left.length, right.length);
}
