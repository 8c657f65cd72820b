/** What a CPU profile of V8 says of the stages of a page. */
export interface Profile {
  readonly nodes: readonly ProfileNode[];
  readonly samples: readonly number[];
  /** Microseconds before each sample. */
  readonly timeDeltas: readonly number[];
}

interface ProfileNode {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly url: string };
  readonly children?: readonly number[];
}

const CONNECTION = "connections, TLS, HTTP";
const DECOMPRESS = "decompression";
const PARSE = "charset, parsing, links";
const METADATA = "metadata";
const TEXT = "main text, Markdown, words";
const COMPRESS = "compressing what is kept";
const STORE = "settling, index of words, SQLite";
const FRONTIER = "admission, frontier, URLs, robots.txt";
const COMPARE = "fingerprints";
const GARBAGE = "collecting garbage on these threads";
const OTHER = "other: start, threads talking to each other";

export const stages: readonly string[] = [
  ...[CONNECTION, DECOMPRESS, PARSE, METADATA, TEXT, COMPRESS, COMPARE, STORE, FRONTIER, GARBAGE, OTHER],
];

/** The first that fits decides. Modules that serve several stages are not named: whoever called them decides. */
const rules: readonly (readonly [RegExp, string])[] = [
  [/\/src\/fetch\/(decoder|codings|body|decompress)/, DECOMPRESS],
  [/\/src\/fetch\/|\/undici\/|^node:(_tls|tls|net|_http|http|https|internal\/(tls|net|js_stream|stream_base))/, CONNECTION],
  [/\/src\/crawl\/pack|\/src\/store\/sqlite\/bodies/, COMPRESS],
  [
    /\/src\/extract\/(text\/|main-text|element-text)|\/src\/parse\/(markdown|block-text|main-part|render)|\/src\/search\/|\/src\/crawl\/read-words/,
    TEXT,
  ],
  [/\/src\/extract\/|\/src\/crawl\/read-(metadata|extractor)/, METADATA],
  [/\/src\/dedupe\//, COMPARE],
  [/\/src\/parse\/|\/htmlparser2\/|\/iconv-lite\//, PARSE],
  [/\/src\/(store|operations|enhance)\/|sqlite|\/src\/crawl\/(settler|recording|news|link-table|link-set|link-document|kept-links)/, STORE],
  [/\/src\/(frontier|url|robots)\/|\/src\/crawl\/(admission|gate|placing|mention|guards|sources|strays|consequences)/, FRONTIER],
];

/** Milliseconds of each stage; what was idle is left out. */
export function timesIn(profile: Profile, { isFirst }: { isFirst: boolean }): Map<string, number> {
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  const parents = new Map(profile.nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)));
  const known = new Map<number, string | undefined>();
  const stageOf = (id: number): string | undefined => {
    if (!known.has(id)) known.set(id, find(id));
    return known.get(id);
  };
  function find(id: number): string | undefined {
    const { functionName, url } = nodes.get(id)!.callFrame;
    if (functionName === "(idle)") return undefined;
    if (functionName === "(garbage collector)") return GARBAGE;
    if (functionName === "(program)") return isFirst ? CONNECTION : OTHER;
    const named = rules.find(([pattern]) => pattern.test(url))?.[1];
    if (named) return named;
    const parent = parents.get(id);
    const above = parent === undefined ? OTHER : (stageOf(parent) ?? OTHER);
    // Answers of zlib's pool come without a caller.
    return above === OTHER && url === "node:zlib" ? DECOMPRESS : above;
  }
  const times = new Map<string, number>();
  for (const [at, id] of profile.samples.entries()) {
    const stage = stageOf(id);
    // The time until the next sample is that of this one.
    if (stage !== undefined) times.set(stage, (times.get(stage) ?? 0) + (profile.timeDeltas[at + 1] ?? 0) / 1000);
  }
  return times;
}
