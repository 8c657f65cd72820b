import { IMAGE_HEAD, type ImageSize, imageSizeOf } from "../../analysis/parse/index.ts";
import type { Fetched, MetaCandidate, Metadata } from "../../core/records.ts";
import type { Seed } from "../../core/seed.ts";
import type { App } from "../../engine/app.ts";
import type { Config } from "../../engine/config/index.ts";
import type { Spacing } from "../../engine/frontier/index.ts";
import { RedirectTracker } from "../crawl/redirect-tracker.ts";
import { startTemporaryRun } from "../crawl/temporary-run.ts";
import { singlePageConfig } from "../fetch-page/one-page.ts";

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
const MAX_TRIES = 3;
const MIN_WIDTH = 200;
const MIN_HEIGHT = 100;
/** Confidence of a picture that was not the first choice. */
const SECOND_CONFIDENCE = 0.5;

/** Fetches the first bytes of the pictures of pages. One that is too small or missing is replaced by the next candidate. */
export async function measureImages(app: App, pages: readonly Metadata[], setup: MeasureSetup): Promise<Metadata[]> {
  const known = new Map(pages.flatMap(({ image }) => declaredSizes(image)));
  for (let round = 0; round < MAX_TRIES && !setup.signal.aborted; round++) {
    const wanted = new Set(pages.flatMap((page) => nextOf(page, known) ?? []));
    if (wanted.size === 0) break;
    await measure(app, [...wanted], setup, known);
  }
  return pages.map((page) => withMeasured(page, known));
}

/** Sizes that the page itself declares are trusted. */
function declaredSizes({ value, width, height }: Metadata["image"] & Partial<ImageSize>): [string, Measured][] {
  return value === null || width === undefined || height === undefined ? [] : [[value, checkSize({ width, height })]];
}

const candidatesOf = ({ image }: Metadata): MetaCandidate<string>[] => {
  const { value, source, candidates } = image;
  const others = candidates.filter(
    ({ rejected, value: other }, place) =>
      rejected === undefined && other !== value && candidates.findIndex((one) => one.value === other) === place,
  );
  return value === null ? [] : [{ value, source }, ...others].slice(0, MAX_TRIES);
};

/** The next picture to measure; undefined if one was good enough, or none are left. */
function nextOf(page: Metadata, known: ReadonlyMap<string, Measured>): string | undefined {
  for (const { value } of candidatesOf(page)) {
    const measured = known.get(value);
    if (!measured) return value;
    if (measured.rejected === undefined) return undefined;
  }
  return undefined;
}

async function measure(app: App, urls: readonly string[], setup: MeasureSetup, known: Map<string, Measured>): Promise<void> {
  const { config, signal, spacing, named, workers: maxConcurrent } = setup;
  const tracker = new RedirectTracker<Measured>(config, (url, measured) => known.set(url, measured));
  for (const url of urls) if (!tracker.add({ url, namedBy: "page" })) known.set(url, { rejected: "no address of a picture" });
  if (tracker.seeds.length === 0) return;
  const run = await startTemporaryRun(app, {
    seeds: tracker.seeds,
    named,
    config: { ...singlePageConfig(config, true), render: "never", maxConcurrent, perHost: 1 },
    spacing,
    enough: IMAGE_HEAD,
    readsNothing: true,
    onFetched: ({ url, accept }, fetched) => {
      if (accept !== "page") return;
      if (fetched.kind === "moved") tracker.moved(url, fetched.location);
      const measured = measuredFrom(fetched);
      if (measured) tracker.end(url, measured);
    },
  });
  const stop = () => run.control.abort();
  signal.addEventListener("abort", stop, { once: true });
  try {
    await run.control.result;
    for (const { last } of tracker.open()) tracker.end(last, {});
  } finally {
    signal.removeEventListener("abort", stop);
    await run.close();
  }
}

function measuredFrom(fetched: Fetched): Measured | undefined {
  if (fetched.kind === "gone") return { rejected: `answered ${fetched.status}` };
  if (fetched.kind !== "body") return undefined;
  const size = imageSizeOf(fetched.bytes);
  if (size) return checkSize(size);
  return /^image\//i.test(fetched.contentType ?? "") ? {} : { rejected: "no picture" };
}

function checkSize(size: ImageSize): Measured {
  const isSmall = size.width < MIN_WIDTH || size.height < MIN_HEIGHT;
  return { size, ...(isSmall && { rejected: `too small: ${size.width} × ${size.height}` }) };
}

function withMeasured(page: Metadata, known: ReadonlyMap<string, Measured>): Metadata {
  const { image } = page;
  const tried = candidatesOf(page).map((candidate) => ({ ...candidate, ...known.get(candidate.value) }));
  // A small picture is better than none.
  const best = tried.find(({ rejected }) => rejected === undefined) ?? tried.find(({ size }) => size);
  if (tried.length === 0) return page;
  const rejectedImages = tried.filter((one) => one !== best).map(({ size: _, ...candidate }) => candidate);
  const rest = image.candidates.filter(({ value }) => !tried.some((one) => one.value === value));
  const candidates = [...rejectedImages, ...rest];
  if (!best) return { ...page, image: { value: null, source: "", confidence: 0, candidates } };
  const confidence = best.value === image.value ? image.confidence : SECOND_CONFIDENCE;
  return { ...page, image: { value: best.value, source: best.source, confidence, ...best.size, candidates } };
}
