/** One run of this process: forwards its events and samples its progress every second. */
import type { CrawlEvent, Progress } from "../crawl/index.ts";
import type { Crawl } from "../operations/crawl.ts";
import type { Run } from "../store/index.ts";
import type { EngineEvent, LiveRun } from "./engine.ts";
import { engineEvent, runEvent } from "./event-json.ts";
import { type Sample, Samples } from "./samples.ts";

export interface HeldSetup {
  readonly emit: (event: EngineEvent) => void;
  /** Whether single outcomes of this run have listeners; pages are not read otherwise. */
  readonly isHeard: (runId: number) => boolean;
  readonly isPaused: boolean;
}

export class HeldRun {
  readonly #setup: HeldSetup;
  readonly #early: CrawlEvent[] = [];
  #crawl: Crawl | undefined;
  #samples = new Samples();
  #seq = 0;
  #phase = "crawling";
  /** The page event was sent, so the `url.settled` event of the same URL is not. */
  #isPageTold = false;
  #isPaused: boolean;
  #mayGoOn: Promise<void> | undefined;
  #release: () => void = () => undefined;
  /** The final event was sent. Progress sent after it would make the run look active. */
  isOver = false;
  /** Why the run is being ended; undefined while it is not. */
  ending: "stop" | "cancel" | "rest" | undefined;
  options: Readonly<Record<string, unknown>> = {};

  constructor(setup: HeldSetup) {
    this.#setup = setup;
    this.#isPaused = setup.isPaused;
    if (setup.isPaused) this.#close();
  }

  /** Event listener passed to the crawl; buffers events until `begin` is called. */
  readonly hears = (event: CrawlEvent): void => {
    if (this.#crawl) this.#tell(this.#crawl.run, event);
    else this.#early.push(event);
  };
  readonly mayGoOn = (): Promise<void> | undefined => this.#mayGoOn;

  begin(crawl: Crawl, samples: readonly Sample[]): void {
    this.#crawl = crawl;
    this.#seq = crawl.run.seq;
    this.options = crawl.run.options;
    this.#samples = new Samples(samples);
    if (this.#isPaused) crawl.control.pause();
    for (const event of this.#early.splice(0)) this.#tell(crawl.run, event);
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
    this.#close();
    this.control.pause();
    this.#setup.emit(runEvent(this.run, "crawl.paused", {}));
    this.look();
  }

  goOn(): void {
    this.#isPaused = false;
    this.#mayGoOn = undefined;
    this.#release();
    this.control.goOn();
    this.#setup.emit(runEvent(this.run, "crawl.resumed", {}));
    this.look();
  }

  /** Releases a paused run, so that it can end. */
  leave(): void {
    this.#mayGoOn = undefined;
    this.#release();
  }

  #close(): void {
    this.#mayGoOn ??= new Promise((resolve) => {
      this.#release = resolve;
    });
  }

  get samples(): readonly Sample[] {
    return this.#samples.kept;
  }

  look(): void {
    if (this.isOver) return;
    const progress = this.control.progress();
    this.#samples.look(progress, Date.now());
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

  #tell(run: Run, event: CrawlEvent): void {
    if (event.type === "crawl.phase") this.#phase = event.phase;
    if (event.type === "crawl.finished") this.isOver = true;
    // The run is discarded, or resumed by the next process: it has not finished.
    if (event.type === "crawl.finished" && (this.ending === "cancel" || this.ending === "rest")) return;
    if (event.type === "page.fetched" || event.type === "page.gone") {
      this.#isPageTold = this.#setup.isHeard(run.id);
      if (this.#isPageTold) this.#emit(run, event);
      return;
    }
    if (event.type === "url.settled") {
      const isTold = this.#isPageTold;
      this.#isPageTold = false;
      this.#seq = event.seq ?? this.#seq;
      if (event.durationMs > 0) this.#samples.answered(event.durationMs);
      if (isTold || event.seq === undefined || !this.#setup.isHeard(run.id)) return;
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
  const polite = hosts.reduce((most, host) => Math.max(most, host.queued * host.delayMs), 0);
  if (perMinute <= 0) return polite > 0 ? Math.round(polite) : null;
  return Math.round(Math.max(polite, (queued / perMinute) * 60_000));
}
