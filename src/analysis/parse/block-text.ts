/** The text of the current block. It tracks white space while text is added, so that most blocks need no final clean-up. */
import { isTidy, tidy } from "./markdown/tidy.ts";

export class BlockText {
  #text = "";
  #isTidy = true;
  #endsInSpace = false;

  /** Adds a range of the source and returns it; undefined if it is only white space before the first word. */
  add(source: string, start: number, end: number): string | undefined {
    if (this.#text === "" && isBlank(source, start, end)) return undefined;
    this.#isTidy &&= isTidy(source, start, end, this.#endsInSpace);
    this.#endsInSpace = source.charCodeAt(end - 1) === 32;
    const added = source.slice(start, end);
    this.#text += added;
    return added;
  }

  /** Returns the finished block and starts the next one. */
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
