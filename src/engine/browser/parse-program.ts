import { basename } from "node:path";

type Engine = "chromium" | "firefox" | "webkit";

/** Guesses the engine from the program's name. */
const names: readonly [RegExp, Engine][] = [
  [/chrom|edge|brave/i, "chromium"],
  [/firefox/i, "firefox"],
  [/webkit/i, "webkit"],
];

/** `firefox=/opt/firefox/firefox`, or only a path if the program's name shows the engine. */
export function parseProgram(text: string): { readonly engine: Engine; readonly path: string } | undefined {
  const [, named, path = ""] = /^(?:(chromium|firefox|webkit)=)?(.+)$/.exec(text.trim()) ?? [];
  const engine = (named as Engine | undefined) ?? names.find(([pattern]) => pattern.test(basename(path)))?.[1];
  return engine === undefined ? undefined : { engine, path };
}
