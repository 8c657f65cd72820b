/** The text of the block being read. It watches its own white space while it grows, so that most blocks need no tidying at their end. */
import { isTidy, tidy } from "./tidy.ts";

export class BlockText {
  #text = "";
  #isTidy = true;
  #endsInSpace = false;

  /** Adds a stretch of the source and returns it; undefined if it is only white space before the first word. */
  add(source: string, start: number, end: number): string | undefined {
    if (this.#text === "" && isBlank(source, start, end)) return undefined;
    this.#isTidy &&= isTidy(source, start, end, this.#endsInSpace);
    this.#endsInSpace = source.charCodeAt(end - 1) === 32;
    const added = source.slice(start, end);
    this.#text += added;
    return added;
  }

  /** The finished block; the next one begins. */
  take(): string {
    const text = this.#isTidy ? this.#text.trim() : tidy(this.#text);
    this.#text = "";
    this.#isTidy = true;
    this.#endsInSpace = false;
    return text;
  }
}

function isBlank(source: string, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) if (source.charCodeAt(at) > 32) return false;
  return true;
}
