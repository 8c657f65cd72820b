import { hammingDistance } from "../dedupe/index.ts";
import type { FrontierOptions } from "../frontier/index.ts";
import { type FocusMemory, kindOf, type ScoreOptions } from "../score/index.ts";
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
} from "../url/index.ts";
import { Aim } from "./aim.ts";

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
const DEEP = 8;
/** Visits between two snapshots: few at first, then more. */
const FIRST_NOTE = 25;
const MOST_BETWEEN_NOTES = 400;

/** The parts that learn during a run (trap guards and focus), and the schedule for saving them: after every verdict, and periodically. */
export class Guards {
  readonly traps: TrapGuard | undefined;
  readonly mazes: MazeGuard | undefined;
  readonly mirrors: MirrorGuard | undefined;
  readonly same: SamePages | undefined;
  readonly sessions: SessionIds | undefined;
  readonly aim: Aim | undefined;
  #noted = 0;
  #since = 0;
  #between = FIRST_NOTE;

  /** Hosts given as seeds (`isHome`) are never treated as mirrors. */
  constructor(
    config: UrlOptions & ScoreOptions & Pick<FrontierOptions, "order"> & { maxPages: number },
    isHome: (host: string) => boolean,
  ) {
    const { trapGuard, maxDepth, maxPages, scorer, scoreRatio } = config;
    const keywords = Object.entries(config.keywords);
    const isFocused = keywords.length > 0 && config.order === "best";
    this.aim = isFocused ? new Aim({ keywords, scorer: kindOf(scorer), scoreRatio }) : undefined;
    const sessions = trapGuard === "on" ? new SessionIds() : undefined;
    this.sessions = sessions;
    this.traps = sessions && new TrapGuard({ distance: hammingDistance, plain: (url) => sessions.plain(url) });
    // Under a small depth limit real sites end at the limit too, and a maze stays small, so the guard is off.
    this.mazes = this.traps && maxDepth >= DEEP ? new MazeGuard(maxPages) : undefined;
    this.mirrors = this.traps && new MirrorGuard(isHome);
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

  get #isWary(): boolean {
    return this.aim !== undefined || (this.traps?.isWary ?? false) || (this.mazes?.isWary ?? false);
  }

  /** Marks the restored state for saving at once, because the process may be killed again soon. */
  restore({ traps, mazes, mirrors, same, sessions, focus }: GuardMemory): void {
    if (traps) this.traps?.restore(traps);
    if (mazes) this.mazes?.restore(mazes);
    if (mirrors) this.mirrors?.restore(mirrors);
    if (same) this.same?.restore(same);
    if (sessions) this.sessions?.restore(sessions);
    if (focus) this.aim?.restore(focus);
    this.#since = this.#between;
  }

  snapshot(): GuardMemory {
    const guards = { traps: this.traps?.snapshot(), mazes: this.mazes?.snapshot(), mirrors: this.mirrors?.snapshot() };
    return { ...guards, same: this.same?.snapshot(), sessions: this.sessions?.snapshot(), focus: this.aim?.snapshot() };
  }

  /** Call when more visits are settled; returns the snapshot to write with them, if one is due. */
  note(visits: number): GuardMemory | undefined {
    this.#since += visits;
    const verdicts = this.#verdicts;
    if (verdicts === this.#noted && (this.#since < this.#between || !this.#isWary)) return undefined;
    if (verdicts === this.#noted) this.#between = Math.min(2 * this.#between, MOST_BETWEEN_NOTES);
    this.#noted = verdicts;
    this.#since = 0;
    return this.snapshot();
  }
}
