import { basename } from "node:path";

type Engine = "chromium" | "firefox" | "webkit";

/** What a program is called says whose it is. */
const names: readonly [RegExp, Engine][] = [
  [/chrom|edge|brave/i, "chromium"],
  [/firefox/i, "firefox"],
  [/webkit/i, "webkit"],
];

/** `firefox=/opt/firefox/firefox`, or a path alone if its name tells the engine. */
export function parseProgram(text: string): { readonly engine: Engine; readonly path: string } | undefined {
  const [, named, path = ""] = /^(?:(chromium|firefox|webkit)=)?(.+)$/.exec(text.trim()) ?? [];
  const engine = (named as Engine | undefined) ?? names.find(([pattern]) => pattern.test(basename(path)))?.[1];
  return engine === undefined ? undefined : { engine, path };
}
