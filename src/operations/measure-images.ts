import type { App } from "../app.ts";
import type { Config } from "../config/index.ts";
import type { Spacing } from "../frontier/index.ts";
import { IMAGE_HEAD, type ImageSize, imageSizeOf } from "../parse/index.ts";
import type { Fetched, MetaCandidate, Metadata } from "../records.ts";
import type { Seed } from "../seed.ts";
import { onePage } from "./one-page.ts";
import { passingRun } from "./passing-run.ts";
import { SeedWays } from "./seed-ways.ts";

export interface MeasureSetup {
  readonly config: Config;
  readonly workers: number;
  readonly spacing: Spacing;
  /** The pages and who named them: a picture's URL never opens a private host. */
  readonly named: readonly Seed[];
  readonly signal: AbortSignal;
}

/** The size of a picture, or the reason why it is unusable; neither if it could not be requested. */
interface Measured {
  readonly size?: ImageSize;
  readonly rejected?: string;
}

/** Candidates tried per page; the first that is large enough is taken. */
const MOST_TRIES = 3;
const LEAST_WIDTH = 200;
const LEAST_HEIGHT = 100;
/** Confidence of a picture that was not the first choice. */
const NEXT_BEST = 0.5;

/** Fetches the first bytes of the pictures of pages. One that is too small or missing is replaced by the next candidate. */
export async function measureImages(app: App, pages: readonly Metadata[], setup: MeasureSetup): Promise<Metadata[]> {
  const known = new Map(pages.flatMap(({ image }) => declared(image)));
  for (let round = 0; round < MOST_TRIES && !setup.signal.aborted; round++) {
    const wanted = new Set(pages.flatMap((page) => nextOf(page, known) ?? []));
    if (wanted.size === 0) break;
    await measure(app, [...wanted], setup, known);
  }
  return pages.map((page) => withMeasured(page, known));
}

/** Sizes that the page itself declares are trusted. */
function declared({ value, width, height }: Metadata["image"] & Partial<ImageSize>): [string, Measured][] {
  return value === null || width === undefined || height === undefined ? [] : [[value, judged({ width, height })]];
}

const offered = ({ image }: Metadata): MetaCandidate<string>[] => {
  const { value, source, candidates } = image;
  const others = candidates.filter(
    ({ rejected, value: other }, place) =>
      rejected === undefined && other !== value && candidates.findIndex((one) => one.value === other) === place,
  );
  return value === null ? [] : [{ value, source }, ...others].slice(0, MOST_TRIES);
};

/** The next picture to measure; undefined if one was good enough, or none are left. */
function nextOf(page: Metadata, known: ReadonlyMap<string, Measured>): string | undefined {
  for (const { value } of offered(page)) {
    const measured = known.get(value);
    if (!measured) return value;
    if (measured.rejected === undefined) return undefined;
  }
  return undefined;
}

async function measure(app: App, urls: readonly string[], setup: MeasureSetup, known: Map<string, Measured>): Promise<void> {
  const { config, signal, spacing, named, workers: maxConcurrent } = setup;
  const ways = new SeedWays<Measured>(config, (url, measured) => known.set(url, measured));
  for (const url of urls) if (!ways.add({ url, namedBy: "page" })) known.set(url, { rejected: "no address of a picture" });
  if (ways.seeds.length === 0) return;
  const run = await passingRun(app, {
    seeds: ways.seeds,
    named,
    config: { ...onePage(config, true), render: "never", maxConcurrent, perHost: 1 },
    spacing,
    enough: IMAGE_HEAD,
    readsNothing: true,
    onFetched: ({ url, accept }, fetched) => {
      if (accept !== "page") return;
      if (fetched.kind === "moved") ways.moved(url, fetched.location);
      const measured = measuredBy(fetched);
      if (measured) ways.end(url, measured);
    },
  });
  const stop = () => run.control.abort();
  signal.addEventListener("abort", stop, { once: true });
  try {
    await run.control.result;
    for (const { last } of ways.open()) ways.end(last, {});
  } finally {
    signal.removeEventListener("abort", stop);
    await run.close();
  }
}

function measuredBy(fetched: Fetched): Measured | undefined {
  if (fetched.kind === "gone") return { rejected: `answered ${fetched.status}` };
  if (fetched.kind !== "body") return undefined;
  const size = imageSizeOf(fetched.bytes);
  if (size) return judged(size);
  return /^image\//i.test(fetched.contentType ?? "") ? {} : { rejected: "no picture" };
}

function judged(size: ImageSize): Measured {
  const isSmall = size.width < LEAST_WIDTH || size.height < LEAST_HEIGHT;
  return { size, ...(isSmall && { rejected: `too small: ${size.width} × ${size.height}` }) };
}

function withMeasured(page: Metadata, known: ReadonlyMap<string, Measured>): Metadata {
  const { image } = page;
  const tried = offered(page).map((candidate) => ({ ...candidate, ...known.get(candidate.value) }));
  // A small picture is better than none.
  const best = tried.find(({ rejected }) => rejected === undefined) ?? tried.find(({ size }) => size);
  if (tried.length === 0) return page;
  const lost = tried.filter((one) => one !== best).map(({ size: _, ...candidate }) => candidate);
  const rest = image.candidates.filter(({ value }) => !tried.some((one) => one.value === value));
  const candidates = [...lost, ...rest];
  if (!best) return { ...page, image: { value: null, source: "", confidence: 0, candidates } };
  const confidence = best.value === image.value ? image.confidence : NEXT_BEST;
  return { ...page, image: { value: best.value, source: best.source, confidence, ...best.size, candidates } };
}
