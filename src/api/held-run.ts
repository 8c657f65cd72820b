/** One run of this process: what it says is told on, and how it goes is looked at every second. */
import type { CrawlEvent, Progress } from "../crawl/index.ts";
import type { Crawl } from "../operations/crawl.ts";
import type { Run } from "../store/index.ts";
import type { EngineEvent, LiveRun } from "./engine.ts";
import { engineEvent, runEvent } from "./event-json.ts";
import { type Sample, Samples } from "./samples.ts";

export interface HeldSetup {
  readonly emit: (event: EngineEvent) => void;
  /** Whether somebody listens to the single outcomes of this run: they are not read for nobody. */
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
  /** A page and what became of its URL are told as one. */
  #isPageTold = false;
  #isPaused: boolean;
  #mayGoOn: Promise<void> | undefined;
  #release: () => void = () => undefined;
  /** Its end is told: whoever heard of how it goes after that would take it for a run at work. */
  isOver = false;
  /** Undefined, or why nothing more is to be kept of it. */
  ending: "stop" | "cancel" | "rest" | undefined;
  options: Readonly<Record<string, unknown>> = {};

  constructor(setup: HeldSetup) {
    this.#setup = setup;
    this.#isPaused = setup.isPaused;
    if (setup.isPaused) this.#close();
  }

  /** What the crawl is begun with. */
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

  /** A run that is to end must not wait for leave to go on. */
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
    // It is thrown away, or taken up by the process after this one.
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

/** By the pace so far, and no sooner than the hosts allow. */
function etaOf({ queued, hosts }: Progress, perMinute: number): number | null {
  if (queued === 0) return 0;
  const polite = hosts.reduce((most, host) => Math.max(most, host.queued * host.delayMs), 0);
  if (perMinute <= 0) return polite > 0 ? Math.round(polite) : null;
  return Math.round(Math.max(polite, (queued / perMinute) * 60_000));
}
