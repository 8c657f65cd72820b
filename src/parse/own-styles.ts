/** A page's own style sheets, limited to rules that can hide text: for one class or one id, optionally with an element name. */
import { areAlike, colourOf, WHITE } from "./colour.ts";
import { addDeclarations, type Declarations } from "./declarations.ts";

export interface OwnStyles {
  /** By selector: `.class`, `#id`, `name.class`, `name#id`. */
  readonly rules: ReadonlyMap<string, Declarations>;
  /** Whether some rules have an element name. */
  readonly hasNames: boolean;
  /** Whether a rule sets a background that is not white: light text may be on it. */
  readonly hasDarkGround: boolean;
  /** Whether some rule shows elements with this class or id, under a condition such as another class, a state or a smaller screen. */
  isShownSomewhere(selector: string): boolean;
}

const SIMPLE = /^(?:[a-z][a-z0-9]*)?[.#][\w-]+$/i;
/** Values that hide. Most rules contain none and are skipped. */
const HIDES =
  /display\s{0,9}:\s{0,9}none|visibility\s{0,9}:\s{0,9}[hc]|opacity\s{0,9}:?[\s(]{0,9}(?:0|\.0)|font(?:-size)?\s{0,9}:\s{0,9}[01]|:\s{0,9}-\d{2,}|clip(?:-path)?\s{0,9}:|overflow(?:-[xy])?\s{0,9}:\s{0,9}[hc]|(?:translate|scale)[xy3d]{0,2}\(|(?<=[;{\s])color\s{0,9}:\s{0,9}(?:#[ef]|w|i|s|g|f|t|rgba?\()/gi;
const GROUND = /background(?:-color|-image)?\s{0,9}:\s{0,9}([^;}]{1,60})/gi;
const SHOWS =
  /display\s{0,9}:\s{0,9}[^n\s]|visibility\s{0,9}:\s{0,9}v|opacity\s{0,9}:\s{0,9}(?:1|0?\.[1-9])|(?:max-)?height\s{0,9}:\s{0,9}[^0\s]/i;
/** At-rules that apply to ordinary visitors on screens. */
const FOR_PEOPLE = /^@(?:media\s{0,9}(?:all|screen)?$|supports|layer)/i;

const NO_STYLES: OwnStyles = { rules: new Map(), hasNames: false, hasDarkGround: false, isShownSomewhere: () => false };

export function ownStyles(sheets: readonly string[]): OwnStyles {
  if (sheets.length === 0) return NO_STYLES;
  const css = withoutComments(sheets.join("\n"));
  const rules = new Map<string, Declarations>();
  readHiding(css, (selector, body) => {
    if (!SIMPLE.test(selector)) return;
    const known: Declarations = rules.get(selector) ?? new Map();
    rules.set(selector, known);
    addDeclarations(body, known);
  });
  return new PageStyles(css, rules);
}

class PageStyles implements OwnStyles {
  readonly rules: ReadonlyMap<string, Declarations>;
  readonly hasNames: boolean;
  readonly #css: string;
  #shown: ReadonlySet<string> | undefined;
  #isDark: boolean | undefined;

  constructor(css: string, rules: ReadonlyMap<string, Declarations>) {
    this.rules = rules;
    this.hasNames = [...rules.keys()].some((selector) => /^\w/.test(selector));
    this.#css = css;
  }

  get hasDarkGround(): boolean {
    this.#isDark ??= hasDarkGround(this.#css);
    return this.#isDark;
  }

  isShownSomewhere(selector: string): boolean {
    this.#shown ??= shownIn(this.#css);
    return this.#shown.has(selector);
  }
}

/** Calls back for each selector of unconditional rules that hide something. */
function readHiding(css: string, call: (selector: string, body: string) => void): void {
  const hides = new RegExp(HIDES);
  let next = hides.exec(css);
  if (!next) return;
  eachRule(css, (prelude, begin, end, isInForce) => {
    while (next && next.index <= begin) {
      hides.lastIndex = begin;
      next = hides.exec(css);
    }
    if (!next) return false;
    if (next.index < end && isInForce)
      for (const selector of css.slice(prelude, begin).split(",")) call(selector.trim(), css.slice(begin + 1, end));
    return true;
  });
}

/** The offsets of the selectors, of the block's start and of its end. Returns false to stop. */
type OnRule = (prelude: number, begin: number, end: number, isInForce: boolean) => boolean;

function eachRule(css: string, onRule: OnRule): void {
  /** For each open block, whether its contents apply unconditionally. */
  const open: boolean[] = [];
  let from = 0;
  let begin = css.indexOf("{");
  let end = css.indexOf("}");
  while (begin >= 0) {
    if (end >= 0 && end < begin) {
      open.pop();
      from = end + 1;
      end = css.indexOf("}", from);
      continue;
    }
    const written = css.slice(from, begin);
    const prelude = from + written.lastIndexOf(";") + 1;
    if (isAtRule(css, prelude)) {
      open.push(FOR_PEOPLE.test(css.slice(prelude, begin).trim()));
      from = begin + 1;
    } else {
      const last = end < 0 ? css.length : end;
      if (!onRule(prelude, begin, last, open.every(Boolean)) || end < 0) return;
      from = end + 1;
      end = css.indexOf("}", from);
    }
    begin = css.indexOf("{", from);
  }
}

function isAtRule(css: string, from: number): boolean {
  let at = from;
  while (css.charCodeAt(at) <= 32) at += 1;
  return css.charCodeAt(at) === 64;
}

function shownIn(css: string): ReadonlySet<string> {
  const shown = new Set<string>();
  eachRule(css, (prelude, begin, end) => {
    if (!SHOWS.test(css.slice(begin, end))) return true;
    for (const selector of css.slice(prelude, begin).split(",")) {
      const last = selector
        .trim()
        .split(/[\s>+~]+/)
        .at(-1)!;
      for (const name of last.match(/[.#][\w-]+/g) ?? []) shown.add(name);
    }
    return true;
  });
  return shown;
}

function hasDarkGround(css: string): boolean {
  for (const [, written = ""] of css.matchAll(GROUND)) {
    const colour = colourOf(written.replace(/!.*/, "")) ?? colourOf(written.split(/\s/, 1)[0]!);
    if (colour ? colour.alpha > 0.1 && !areAlike(colour, WHITE) : !/^(?:none|inherit|initial|unset|0|transparent)/i.test(written))
      return true;
  }
  return false;
}

function withoutComments(css: string): string {
  const parts: string[] = [];
  let from = 0;
  for (;;) {
    const begin = css.indexOf("/*", from);
    if (begin < 0) break;
    parts.push(css.slice(from, begin));
    const end = css.indexOf("*/", begin + 2);
    if (end < 0) return parts.join(" ");
    from = end + 2;
  }
  return from === 0 ? css : `${parts.join(" ")} ${css.slice(from)}`;
}
