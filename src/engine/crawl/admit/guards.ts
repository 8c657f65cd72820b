import { hammingDistance } from "../../../analysis/dedupe/index.ts";
import { type FocusMemory, kindOf, type ScoreOptions } from "../../../analysis/score/index.ts";
import {
  MazeGuard,
  type MazeMemory,
  MirrorGuard,
  type MirrorMemory,
  SamePages,
  type SamePagesMemory,
  SessionIds,
  type SessionMemory,
  TrapGuard,
  type TrapMemory,
  type UrlOptions,
} from "../../../analysis/url/index.ts";
import type { FrontierOptions } from "../../frontier/index.ts";
import { RelevanceEstimator } from "./relevance-estimator.ts";

/** Plain data, stored for a resumed run. */
export interface GuardMemory {
  readonly traps?: TrapMemory | undefined;
  readonly mazes?: MazeMemory | undefined;
  readonly mirrors?: MirrorMemory | undefined;
  readonly same?: SamePagesMemory | undefined;
  readonly sessions?: SessionMemory | undefined;
  readonly focus?: FocusMemory | undefined;
}

/** Link depth beyond which real pages are rare. */
const MIN_DEPTH_FOR_MAZES = 8;
/** Visits between two snapshots: few at first, then more. */
const FIRST_SAVE_INTERVAL = 25;
const MAX_SAVE_INTERVAL = 400;

/** The parts that learn during a run (trap guards and focus), and the schedule for saving them: after every verdict, and periodically. */
export class Guards {
  readonly traps: TrapGuard | undefined;
  readonly mazes: MazeGuard | undefined;
  readonly mirrors: MirrorGuard | undefined;
  readonly same: SamePages | undefined;
  readonly sessions: SessionIds | undefined;
  readonly estimator: RelevanceEstimator | undefined;
  #savedVerdicts = 0;
  #visitsSinceSave = 0;
  #saveInterval = FIRST_SAVE_INTERVAL;

  /** Hosts given as seeds (`isHome`) are never treated as mirrors. */
  constructor(
    config: UrlOptions & ScoreOptions & Pick<FrontierOptions, "order"> & { maxPages: number },
    isSeedHost: (host: string) => boolean,
  ) {
    const { trapGuard, maxDepth, maxPages, scorer, scoreRatio } = config;
    const keywords = Object.entries(config.keywords);
    const isFocused = keywords.length > 0 && config.order === "best";
    this.estimator = isFocused ? new RelevanceEstimator({ keywords, scorer: kindOf(scorer), scoreRatio }) : undefined;
    const sessions = trapGuard === "on" ? new SessionIds() : undefined;
    this.sessions = sessions;
    this.traps = sessions && new TrapGuard({ distance: hammingDistance, plain: (url) => sessions.plain(url) });
    // Under a small depth limit real sites end at the limit too, and a maze stays small, so the guard is off.
    this.mazes = this.traps && maxDepth >= MIN_DEPTH_FOR_MAZES ? new MazeGuard(maxPages) : undefined;
    this.mirrors = this.traps && new MirrorGuard(isSeedHost);
    this.same = this.traps && new SamePages();
  }

  get #verdicts(): number {
    return (
      (this.sessions?.verdicts ?? 0) +
      (this.traps?.verdicts ?? 0) +
      (this.mazes?.verdicts ?? 0) +
      (this.mirrors?.verdicts ?? 0) +
      (this.same?.verdicts ?? 0)
    );
  }

  get #isLearning(): boolean {
    return this.estimator !== undefined || (this.traps?.isWary ?? false) || (this.mazes?.isWary ?? false);
  }

  /** Marks the restored state for saving at once, because the process may be killed again soon. */
  restore({ traps, mazes, mirrors, same, sessions, focus }: GuardMemory): void {
    if (traps) this.traps?.restore(traps);
    if (mazes) this.mazes?.restore(mazes);
    if (mirrors) this.mirrors?.restore(mirrors);
    if (same) this.same?.restore(same);
    if (sessions) this.sessions?.restore(sessions);
    if (focus) this.estimator?.restore(focus);
    this.#visitsSinceSave = this.#saveInterval;
  }

  snapshot(): GuardMemory {
    const guards = { traps: this.traps?.snapshot(), mazes: this.mazes?.snapshot(), mirrors: this.mirrors?.snapshot() };
    return { ...guards, same: this.same?.snapshot(), sessions: this.sessions?.snapshot(), focus: this.estimator?.snapshot() };
  }

  /** Call when more visits are settled; returns the snapshot to write with them, if one is due. */
  snapshotIfDue(visits: number): GuardMemory | undefined {
    this.#visitsSinceSave += visits;
    const verdicts = this.#verdicts;
    if (verdicts === this.#savedVerdicts && (this.#visitsSinceSave < this.#saveInterval || !this.#isLearning)) return undefined;
    if (verdicts === this.#savedVerdicts) this.#saveInterval = Math.min(2 * this.#saveInterval, MAX_SAVE_INTERVAL);
    this.#savedVerdicts = verdicts;
    this.#visitsSinceSave = 0;
    return this.snapshot();
  }
}
