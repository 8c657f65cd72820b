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

/** Plain data, for a resumed run. */
export interface GuardMemory {
  readonly traps?: TrapMemory | undefined;
  readonly mazes?: MazeMemory | undefined;
  readonly mirrors?: MirrorMemory | undefined;
  readonly same?: SamePagesMemory | undefined;
  readonly sessions?: SessionMemory | undefined;
  readonly focus?: FocusMemory | undefined;
}

/** Clicks from a seed beyond which hardly a real page lies. */
const DEEP = 8;
/** Pages between two notes of what was learned: few at first, then more. */
const FIRST_NOTE = 25;
const MOST_BETWEEN_NOTES = 400;

/** What learns as a run goes on, of traps and of what is worth going to, and when that is worth writing down: after every verdict, and now and then. */
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

  /** Hosts that somebody named are nobody's mirrors. */
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
    // Where the depth is limited to a few clicks, real sites end at the limit too, and a maze is small.
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

  /** After a kill the next one may come soon, so what is restored is written down again at once. */
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

  /** To be asked when so many more visits are written; answers what to write with them, if it is time. */
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
