/** One run of this process: forwards its events and samples its progress every second. */
import type { CrawlEvent, Progress } from "../../../engine/crawl/index.ts";
import type { Crawl } from "../../../features/crawl/crawl.ts";
import type { Run } from "../../../store/index.ts";
import { engineEvent, runEvent } from "../events/event-json.ts";
import { type Sample, Samples } from "../shapes/samples.ts";
import type { EngineEvent, LiveRun } from "./engine.ts";

export interface ActiveRunSetup {
  readonly emit: (event: EngineEvent) => void;
  /** Whether single outcomes of this run have listeners; pages are not read otherwise. */
  readonly hasListeners: (runId: number) => boolean;
  readonly isPaused: boolean;
}

export class ActiveRun {
  readonly #setup: ActiveRunSetup;
  readonly #earlyEvents: CrawlEvent[] = [];
  #crawl: Crawl | undefined;
  #samples = new Samples();
  #seq = 0;
  #phase = "crawling";
  /** The page event was sent, so the `url.settled` event of the same URL is not. */
  #isPageSent = false;
  #isPaused: boolean;
  #whenResumed: Promise<void> | undefined;
  #release: () => void = () => undefined;
  /** The final event was sent. Progress sent after it would make the run look active. */
  isOver = false;
  /** Why the run is being ended; undefined while it is not. */
  ending: "stop" | "cancel" | "rest" | undefined;
  options: Readonly<Record<string, unknown>> = {};

  constructor(setup: ActiveRunSetup) {
    this.#setup = setup;
    this.#isPaused = setup.isPaused;
    if (setup.isPaused) this.#block();
  }

  /** Event listener passed to the crawl; buffers events until `begin` is called. */
  readonly onEvent = (event: CrawlEvent): void => {
    if (this.#crawl) this.#forward(this.#crawl.run, event);
    else this.#earlyEvents.push(event);
  };
  readonly whenResumed = (): Promise<void> | undefined => this.#whenResumed;

  attach(crawl: Crawl, samples: readonly Sample[]): void {
    this.#crawl = crawl;
    this.#seq = crawl.run.seq;
    this.options = crawl.run.options;
    this.#samples = new Samples(samples);
    if (this.#isPaused) crawl.control.pause();
    for (const event of this.#earlyEvents.splice(0)) this.#forward(crawl.run, event);
  }

  get run(): Run {
    return this.#crawl!.run;
  }

  get control(): Crawl["control"] {
    return this.#crawl!.control;
  }

  get isPaused(): boolean {
    return this.#isPaused;
  }

  pause(): void {
    this.#isPaused = true;
    this.#block();
    this.control.pause();
    this.#setup.emit(runEvent(this.run, "crawl.paused", {}));
    this.emitProgress();
  }

  resume(): void {
    this.#isPaused = false;
    this.#whenResumed = undefined;
    this.#release();
    this.control.resume();
    this.#setup.emit(runEvent(this.run, "crawl.resumed", {}));
    this.emitProgress();
  }

  /** Releases a paused run, so that it can end. */
  releasePause(): void {
    this.#whenResumed = undefined;
    this.#release();
  }

  #block(): void {
    this.#whenResumed ??= new Promise((resolve) => {
      this.#release = resolve;
    });
  }

  get samples(): readonly Sample[] {
    return this.#samples.stored;
  }

  emitProgress(): void {
    if (this.isOver) return;
    const progress = this.control.progress();
    this.#samples.addSample(progress, Date.now());
    const { perMinute } = this.#samples;
    const live: LiveRun = {
      ...progress,
      isPaused: this.#isPaused,
      seq: this.#seq,
      perMinute: Math.round(perMinute),
      etaMs: this.#isPaused ? null : etaOf(progress, perMinute),
      phase: this.#phase,
    };
    this.#setup.emit({ ...runEvent(this.run, "crawl.progress", live), seqSoFar: this.#seq });
  }

  #forward(run: Run, event: CrawlEvent): void {
    if (event.type === "crawl.phase") this.#phase = event.phase;
    if (event.type === "crawl.finished") this.isOver = true;
    // The run is discarded, or resumed by the next process: it has not finished.
    if (event.type === "crawl.finished" && (this.ending === "cancel" || this.ending === "rest")) return;
    if (event.type === "page.fetched" || event.type === "page.gone") {
      this.#isPageSent = this.#setup.hasListeners(run.id);
      if (this.#isPageSent) this.#emit(run, event);
      return;
    }
    if (event.type === "url.settled") {
      const wasPageSent = this.#isPageSent;
      this.#isPageSent = false;
      this.#seq = event.seq ?? this.#seq;
      if (event.durationMs > 0) this.#samples.addDuration(event.durationMs);
      if (wasPageSent || event.seq === undefined || !this.#setup.hasListeners(run.id)) return;
    }
    this.#emit(run, event);
  }

  #emit(run: Run, event: CrawlEvent): void {
    const told = engineEvent(run, event);
    if (told) this.#setup.emit(told);
  }
}

/** Estimated from the pace so far, but never shorter than the delays of the hosts allow. */
function etaOf({ queued, hosts }: Progress, perMinute: number): number | null {
  if (queued === 0) return 0;
  const politeTime = hosts.reduce((longest, host) => Math.max(longest, host.queued * host.delayMs), 0);
  if (perMinute <= 0) return politeTime > 0 ? Math.round(politeTime) : null;
  return Math.round(Math.max(politeTime, (queued / perMinute) * 60_000));
}
