/**
 * Every option with every kind of slip, as text (flags, environment) and as JSON (files, REST, the library): it is obeyed, and the resolved options show how,
 * or refused with a sentence that names the option and what was given, and an example.
 */
import { readdirSync } from "node:fs";
import { afterAll, describe, expect, test } from "vitest";
import { PatternError } from "../dist/src/analysis/url/index.js";
import { seedsBy } from "../dist/src/core/seed.js";
import { type Config, envLayer, fields, fromText, resolveConfig, SetupError } from "../dist/src/engine/config/index.js";
import { checkCrawl } from "../dist/src/features/crawl/crawl.js";
import { tempFolder } from "./cli.ts";
import { nuthatchHere } from "./in-process.ts";

const texts = {
  "wrong type": '{"a":1}',
  "wrong unit": "10 apples",
  "with a port": "other.test:9201",
  "with a scheme": "http://other.test/",
  "trailing dot": "other.test.",
  "upper case": "OTHER.TEST",
  "non-ASCII": "bücher.test",
  empty: "",
  huge: "9".repeat(400),
} as const;
const values = { "wrong type": { a: 1 }, "wrong type in a list": [7], "a number": -7.5, nothing: null, yes: true } as const;

type Slip = keyof typeof texts;
type Odd = keyof typeof values;
/** What becomes of slips that are obeyed; all others are refused. */
interface Answer {
  readonly texts?: Partial<Record<Slip, unknown>>;
  readonly values?: Partial<Record<Odd, unknown>>;
}

const refused: Answer = {};
const { empty: _, huge: __, ...words } = texts;
/** Any text that is not too long is one. */
const anyText: Answer = { texts: words };
const ascii: Answer = {
  texts: Object.fromEntries(Object.entries({ ...words, huge: texts.huge }).filter(([slip]) => slip !== "non-ASCII")),
};
const listOf = ({ texts: some = {} }: Answer): Answer => ({
  texts: { ...Object.fromEntries(Object.entries(some).map(([slip, text]) => [slip, [text]])), empty: [] },
});
const emptyList: Answer = { texts: { empty: [] } };
const yesOrNo: Answer = { values: { yes: true } };
const patterns: Answer = {
  texts: {
    "wrong unit": ["10 apples"],
    "with a scheme": ["http://other.test/"],
    "trailing dot": ["other.test."],
    "upper case": ["OTHER.TEST"],
    "non-ASCII": ["bücher.test"],
    huge: [texts.huge],
  },
};

type OptionName = Exclude<keyof Config, "excludeFrom">;

const answers: Record<OptionName, Answer> = {
  preset: refused,
  scope: refused,
  include: patterns,
  exclude: patterns,
  denyHosts: {
    texts: {
      "with a port": ["other.test:9201"],
      "with a scheme": ["other.test"],
      "trailing dot": ["other.test"],
      "upper case": ["other.test"],
      "non-ASCII": ["xn--bcher-kva.test"],
      empty: [],
    },
  },
  skipExtensions: emptyList,
  maxDepth: refused,
  maxComponents: refused,
  maxLength: refused,
  maxParams: refused,
  stripParams: {
    texts: {
      "with a port": ["other.test:9201"],
      "trailing dot": ["other.test."],
      "upper case": ["OTHER.TEST"],
      "non-ASCII": ["b%C3%BCcher.test"],
      empty: [],
    },
  },
  sortParams: yesOrNo,
  trapGuard: refused,
  rateLimit: refused,
  maxConcurrent: refused,
  autoSlow: refused,
  retries: refused,
  order: refused,
  priority: refused,
  maxWait: refused,
  seed: refused,
  respectRobots: yesOrNo,
  robotsUnreachable: refused,
  maxCrawlDelay: refused,
  timeout: refused,
  maxBody: refused,
  userAgent: ascii,
  contact: { texts: { "with a scheme": "http://other.test/" } },
  types: emptyList,
  perHost: refused,
  resolver: refused,
  // Names are compared as URLs have them.
  allowPrivate: {
    texts: {
      "with a port": ["other.test:9201"],
      "trailing dot": ["other.test."],
      "upper case": ["OTHER.TEST"],
      "non-ASCII": ["bücher.test"],
      empty: [],
    },
  },
  // A name, a colon and a value.
  header: { texts: { "with a port": ["other.test:9201"] } },
  auth: { texts: { "wrong type": ['{"a":1}'], "with a port": ["other.test:9201"] } },
  cookies: refused,
  proxy: { texts: { "with a port": "other.test:9201", "with a scheme": "http://other.test/" } },
  ca: refused,
  render: refused,
  engines: refused,
  browser: emptyList,
  fingerprint: refused,
  full: yesOrNo,
  keepVersions: refused,
  prune: yesOrNo,
  due: yesOrNo,
  visitsPerDay: refused,
  keywords: {
    texts: { ...Object.fromEntries(Object.entries(words).map(([slip, text]) => [slip, { [text]: 1 }])), empty: {} },
    values: { "wrong type": { a: 1 } },
  },
  scorer: refused,
  scoreRatio: refused,
  enhance: yesOrNo,
  cascade: refused,
  topics: listOf(anyText),
  llm: anyText,
  llmUrl: { texts: { "with a scheme": "http://other.test/" } },
  llmTokens: refused,
  llmBudget: refused,
  llmPrice: refused,
  llmTimeout: refused,
  maxPages: refused,
  maxTime: refused,
  maxBytes: refused,
  sitemap: { texts: { "with a scheme": "http://other.test/" } },
  maxSitemaps: refused,
  embeddedLinks: refused,
  save: emptyList,
  decisions: refused,
  readers: refused,
};

/** A model on this machine needs no key. */
const own = (key: string) => (key === "llm" ? { llmUrl: "http://127.0.0.1:9/v1" } : {});

function outcomeOf(key: string, layer: Parameters<typeof resolveConfig>[0][number]) {
  try {
    const config = resolveConfig([{ from: "this test", values: own(key) }, layer]);
    checkCrawl(seedsBy("person", ["http://127.0.8.9/"]), config);
    return { obeyed: config[key as keyof Config] };
  } catch (error) {
    if (!(error instanceof SetupError || error instanceof PatternError)) throw error;
    return { message: error.message, hint: error.hint };
  }
}

/** Of what was given its beginning is enough; secrets, and what may hold one, are never repeated. */
const shows = (field: (typeof fields)[number], given: unknown) =>
  field.isSecret || field.key === "proxy" || given === "" ? "" : String(typeof given === "string" ? given : "").slice(0, 10);

describe.each(fields.map((field) => [field.key, field] as const))("%s", (key, field) => {
  const answer = answers[key as OptionName] as Answer | undefined;

  test("has an answer here, and an example that is taken", () => {
    expect(answer).toBeDefined();
    expect(field.example).not.toBe("");
    const files = ["cookies", "ca"].includes(key);
    if (!files) expect(outcomeOf(key, { from: "here", values: { [key]: fromText(field, [field.example]) } })).toHaveProperty("obeyed");
  });

  test.each(Object.entries(texts))("as text: %s", (slip, text) => {
    const layers = [
      { from: "the command line", values: { [key]: fromText(field, [text]) }, spell: () => field.flag },
      envLayer({ [field.env]: text }),
    ];
    for (const [index, layer] of layers.entries()) {
      const outcome = outcomeOf(key, layer);
      const isObeyed = Object.hasOwn(answer?.texts ?? {}, slip);
      if (isObeyed) expect(outcome).toEqual({ obeyed: answer!.texts![slip as Slip] });
      else {
        expect(outcome).not.toHaveProperty("obeyed");
        const said = `${outcome.message} ${outcome.hint}`.replaceAll("\\", "");
        expect(said).toContain(index === 0 || said.includes(field.flag) ? field.flag : field.env);
        expect(said).toContain(shows(field, text));
        expect(outcome.hint).not.toBe("");
      }
    }
  });

  test.each(Object.entries(values))("as JSON: %s", (odd, value) => {
    const outcome = outcomeOf(key, { from: "the options of crawl()", values: { [key]: value } });
    if (Object.hasOwn(answer?.values ?? {}, odd)) expect(outcome).toEqual({ obeyed: answer!.values![odd as Odd] });
    else expect(outcome).toMatchObject({ message: expect.stringContaining(key), hint: expect.stringMatching(/./) });
  });
});

test.each(["NUTHATCH_MAXPAGES", "NUTHATCH_RATELIMIT", "Nuthatch_Max_Pages"])(
  "the variable %s is refused with the one that is meant",
  (name) => {
    expect(() => envLayer({ [name]: "3" })).toThrow(expect.objectContaining({ hint: expect.stringContaining("did you mean NUTHATCH_") }));
  },
);

test("variables that begin like ours and are somebody else's are passed over", () => {
  expect(envLayer({ NUTHATCH_DB: "a.db", NUTHATCH_LLM_KEY: "x", NUTHATCH_PASS_OF_TOWN: "y", NUTHATCH: "z" }).values).toEqual({});
});

describe("the command line refuses with exit 2, and changes nothing on disk", () => {
  const folder = tempFolder();
  afterAll(() => folder[Symbol.dispose]());

  test.each(
    fields
      .filter(({ kind }) => kind !== "boolean")
      .flatMap((field) =>
        Object.entries(texts)
          .filter(([slip]) => !Object.hasOwn(answers[field.key as OptionName]?.texts ?? {}, slip))
          .slice(0, 2)
          .map(([slip, text]) => [field.flag, slip, text] as const),
      ),
  )("%s: %s", async (flag, _slip, text) => {
    const told = await nuthatchHere(["crawl", "http://127.0.8.9/", flag, text], { cwd: folder.path });
    expect(told).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining(flag) });
    expect(told.stderr).toMatch(/\n {2}try: ./);
    expect(readdirSync(folder.path)).toEqual([]);
  });
});
