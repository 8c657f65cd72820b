/** Data that frameworks leave in a page's scripts, where it is plain JSON. Nothing is ever evaluated. */

const MAX_JSON = 2 * 1024 * 1024;
const MAX_STATES = 20;

/** `script` is a program, which may assign such data to a variable. */
export type ScriptKind = "json" | "ld" | "script";

/** The kind of data in a script of this type; undefined if it cannot be read (WHATWG HTML §4.12.1 lists the types that browsers run). */
export function kindOfScript(type: string): ScriptKind | undefined {
  const name = type.trim().toLowerCase();
  if (name === "application/ld+json") return "ld";
  if (name === "application/json" || name.endsWith("+json")) return "json";
  return /^(?:|module|(?:text|application)\/(?:x-)?(?:java|ecma)script)$/.test(name) ? "script" : undefined;
}

export function* statesIn(text: string, kind: ScriptKind): Iterable<unknown> {
  if (kind === "script") yield* assigned(text);
  else yield unflattened(parseJson(text));
}

/** Invalid JSON is common and is ignored. */
export function parseJson(json: string): unknown {
  if (json.length > MAX_JSON) return undefined;
  try {
    return JSON.parse(json);
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Prefixes of `__INITIAL_STATE__`, `__remixContext` and so on, and of Drupal 7's settings. */
const MARKS = ["__", "Drupal.settings,"];
const named = /(?:__(\w{2,60})(?:["']\])?\s{0,9}=|Drupal\.settings,)\s{0,9}(?:(?=[[{])|(JSON\.parse\(\s{0,9})(?="))/y;
const isState = (name: string | undefined) => name === undefined || /(?:state|data|props|store|context|cache|nuxt)_*$/i.test(name);

/** `window.__STATE__ = {…}`. Stops at the first value that has no end, so that time stays linear. */
function* assigned(script: string): Iterable<unknown> {
  for (const mark of MARKS) {
    let count = 0;
    for (let at = script.indexOf(mark); at >= 0 && count < MAX_STATES; at = script.indexOf(mark, at)) {
      named.lastIndex = at;
      const match = named.exec(script);
      if (!match || !isState(match[1])) {
        at += mark.length;
        continue;
      }
      const start = at + match[0].length;
      const end = endOfJson(script, start);
      if (end === undefined) break;
      const value = parseJson(script.slice(start, end));
      yield match[2] === undefined ? value : typeof value === "string" ? parseJson(value) : undefined;
      at = end;
      count += 1;
    }
  }
}

/** The end of the object, list or string that begins at `start`. */
function endOfJson(text: string, start: number): number | undefined {
  const last = Math.min(text.length, start + MAX_JSON);
  let depth = 0;
  for (let at = start; at < last; at++) {
    const letter = text[at];
    if (letter === '"') {
      for (at++; at < last && text[at] !== '"'; at++) if (text[at] === "\\") at++;
    } else if (letter === "{" || letter === "[") depth++;
    else if (letter === "}" || letter === "]") depth--;
    if (depth === 0) return at + 1;
  }
  return undefined;
}

const wrappers = new Set(["Reactive", "ShallowReactive", "Ref", "ShallowRef", "EmptyRef", "EmptyShallowRef", "Object", "Island"]);

const isWrapper = (value: unknown): value is [name: string, place: unknown] =>
  Array.isArray(value) && typeof value[0] === "string" && wrappers.has(value[0]);

/** Nuxt stores every value once in a list, and refers to it by its index (the format of the devalue library). */
function unflattened(root: unknown): unknown {
  return Array.isArray(root) && isWrapper(root[0]) && typeof root[0][1] === "number" ? unflatten(root) : root;
}

function unflatten(values: readonly unknown[]): unknown {
  const made = values.map((value) => (typeof value !== "object" || value === null ? value : Array.isArray(value) ? [] : {}));
  const at = (place: unknown, hops = 0): unknown => {
    const value = typeof place === "number" ? values[place] : undefined;
    if (isWrapper(value) && hops < 5) return at(value[1], hops + 1);
    return typeof place === "number" ? made[place] : undefined;
  };
  for (const [place, value] of values.entries()) {
    const target = made[place];
    if (Array.isArray(value) && Array.isArray(target)) for (const item of value) target.push(at(item));
    else if (typeof value === "object" && value !== null) {
      // Object.defineProperty, because a remote name may be __proto__.
      for (const [key, item] of Object.entries(value)) Object.defineProperty(target, key, { value: at(item), enumerable: true });
    }
  }
  return at(0);
}
