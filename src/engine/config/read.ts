import { readFile } from "node:fs/promises";
import { dirname, extname } from "node:path";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import type { Document, LineCounter } from "yaml";
import { toTextForm } from "./as-text.ts";
import { extensions } from "./find.ts";
import { importFile } from "./import.ts";
import { positionOfError } from "./json-error-position.ts";
import { SetupError } from "./setup-error.ts";

export interface ConfigFile {
  /** Name for error messages. */
  readonly name: string;
  /** Base of relative paths in it. */
  readonly folder: string;
  readonly content: Readonly<Record<string, unknown>>;
  /** Line number of a value, for formats with lines. */
  lineOf(path: readonly PropertyKey[]): Promise<number | undefined>;
}

interface Parsed {
  readonly content: unknown;
  readonly lineOf: ConfigFile["lineOf"];
}

/** Reads a config file without validation; `-` is YAML or JSON on standard input. */
export async function parseConfigFile(path: string, stdin: Readable): Promise<ConfigFile> {
  const name = path === "-" ? "standard input" : path;
  const { content, lineOf } = await parse(path, name, stdin);
  if (!isRecord(content)) throw new SetupError(`${name} does not hold an object`, "write options as names and values: maxDepth: 3");
  return { name, folder: path === "-" ? "." : dirname(path), content: toTextForm(content, name) as ConfigFile["content"], lineOf };
}

async function parse(path: string, name: string, stdin: Readable): Promise<Parsed> {
  if (path === "-") return parseAny(await text(stdin), name);
  switch (extname(path)) {
    case "": // <(a command), /dev/null
      return parseAny(await readText(path), name);
    case ".json":
      return parseJson(await readText(path), name);
    case ".yaml":
    case ".yml":
      return parseYaml(await readText(path), name);
    case ".ts":
    case ".mts":
    case ".js":
    case ".mjs":
      return { content: await importFile(path), lineOf: async () => undefined };
    default:
      throw new SetupError(
        `${path} is no config file by its name`,
        `its name must end in ${extensions.map((ending) => `.${ending}`).join(", ")}`,
      );
  }
}

const readText = (path: string): Promise<string> =>
  readFile(path, "utf8").then(
    (written) => written.replace(/^\uFEFF/, ""),
    (cause: unknown) => {
      throw new SetupError(`cannot read ${path}`, "check --config", { cause });
    },
  );

/** JSON is parsed without loading the YAML parser. */
async function parseAny(written: string, name: string): Promise<Parsed> {
  return /^\s*\{/.test(written) && isJson(written) ? parseJson(written, name) : parseYaml(written, name);
}

function isJson(written: string): boolean {
  try {
    JSON.parse(written);
    return true;
  } catch {
    return false; // the YAML parser reports the error
  }
}

async function parseJson(written: string, name: string): Promise<Parsed> {
  let content: unknown;
  try {
    content = JSON.parse(written);
  } catch (cause) {
    const { line, column, message } = positionOfError(written, cause as Error);
    throw new SetupError(`${name} is not JSON: line ${line}, column ${column}: ${message}`, "check commas and quotes there", { cause });
  }
  if (mayRepeatKeys(written)) await refuseRepeatedKeys(written, name);
  // JSON is valid YAML, and the YAML parser knows line numbers; it is loaded only if they are needed.
  return { content, lineOf: async (path) => lineIn(await parseDocument(written), path) };
}

/** A quick check: equal keys may also belong to different objects, which the parser then decides. */
function mayRepeatKeys(written: string): boolean {
  const keys = [...written.matchAll(/"((?:[^"\\]|\\.)*)"\s*:/g)].map(([, key]) => key);
  return new Set(keys).size < keys.length;
}

/** Throws for a duplicate key, of which JSON.parse silently keeps the last. */
async function refuseRepeatedKeys(written: string, name: string): Promise<void> {
  const { document, lines } = await parseDocument(written);
  const error = document.errors.find(({ code }) => code === "DUPLICATE_KEY");
  if (!error) return;
  const { line, col } = lines.linePos(error.pos[0]);
  throw new SetupError(`${name} has a name twice: line ${line}, column ${col}`, "take one of them away");
}

async function parseYaml(written: string, name: string): Promise<Parsed> {
  const parsed = await parseDocument(written);
  const [error] = parsed.document.errors;
  if (error) {
    const { line, col } = parsed.lines.linePos(error.pos[0]);
    const [message] = error.message.split(/ at line \d+/);
    throw new SetupError(`${name} is not YAML: line ${line}, column ${col}: ${message}`, "check indents, colons and quotes there");
  }
  return { content: parsed.document.toJS() ?? {}, lineOf: async (path) => lineIn(parsed, path) };
}

interface ParsedDocument {
  readonly document: Document.Parsed;
  readonly lines: LineCounter;
}

async function parseDocument(written: string): Promise<ParsedDocument> {
  const { LineCounter, parseDocument: read } = await import("yaml");
  const lines = new LineCounter();
  return { document: read(written, { lineCounter: lines }), lines };
}

/** The line of the last existing element of the path; for a key, the line of the key. */
async function lineIn({ document, lines }: ParsedDocument, path: readonly PropertyKey[]): Promise<number | undefined> {
  const { isMap, isNode, isScalar, isSeq } = await import("yaml");
  let node: unknown = document.contents;
  let at: number | undefined;
  for (const step of path) {
    const pair = isMap(node) ? node.items.find(({ key }) => isScalar(key) && String(key.value) === String(step)) : undefined;
    const place: unknown = pair ? pair.key : isSeq(node) ? node.items[Number(step)] : undefined;
    if (!isNode(place)) break;
    at = place.range?.[0];
    node = pair ? pair.value : place;
  }
  return at === undefined ? undefined : lines.linePos(at).line;
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
