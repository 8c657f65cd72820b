/** What was seen below one page, along the links by which pages were first heard of. */
export interface Branch {
  pages: number;
  /** Requests: pages, redirects, and robots.txt of hosts first met here. */
  requests: number;
  /** Pages on other hosts than those that named them. */
  abroad: number;
  fresh: number;
  /** Links to what was known from elsewhere, each place once. */
  back: number;
  /** Pages at a limit that still lead on. */
  bottoms: number;
  /** Pages that lead to nothing new. */
  ends: number;
  /** Pages that somebody numbered. */
  numbered: number;
  /** Pages whose words were looked at, and those that said something new. */
  heard: number;
  news: number;
  /** Pages whose URLs are mixed of known parts. */
  mixed: number;
  isMaze: boolean;
}

/** By the birthday rule, a hundred pages of a site of thousands that link at random name many a page twice. */
const FRESH_PER_BACK = 400;
/** Where names are mixed of few words, some come twice, and where nothing new is said it takes more to be believed. Webs of up to some four thousand thin pages stay above. */
const FRESH_PER_BACK_OF_DOUBTFUL = 80;
const MOSTLY_MIXED = 0.3;
const STRAY_BACKS = 4;
/** After so many pages without news a branch is barren. */
const HEARD = 20;
const MOST_NEWS = 0.15;
/** A list that goes on by one page at a time ends at the depth limit by itself. */
const EXPLOSIVE = 1.5;
/** What a branch may cost before it is judged, how often its ground must have been looked for in vain, and how many of its ways may end. */
const CHEAP = { suspect: 24, judge: 105, fresh: 240, bottoms: 5, ends: 0.35 };
/** Every page on a host of its own. */
const DEAR = { suspect: 12, judge: 60, fresh: 60, bottoms: 2, ends: 0.5 };
/** Most pages behind redirects to other names. */
const REDIRECTED = { suspect: 12, judge: 50, fresh: 60, bottoms: 2, ends: 0.5 };
const BARREN = { suspect: 24, judge: 80, fresh: 120, bottoms: 3, ends: 0.25 };

export const newBranch = (): Branch => ({
  pages: 0,
  requests: 0,
  abroad: 0,
  fresh: 0,
  back: 0,
  bottoms: 0,
  ends: 0,
  numbered: 0,
  heard: 0,
  news: 0,
  mixed: 0,
  isMaze: false,
});

const isBarren = ({ heard, news }: Branch) => heard >= HEARD && news <= MOST_NEWS * heard;

function limitsOf(branch: Branch) {
  if (branch.abroad > 0.8 * branch.pages) return DEAR;
  if (isBarren(branch)) return BARREN;
  return branch.requests > 1.6 * branch.pages ? REDIRECTED : CHEAP;
}

/** One that led back too often will be known for a site however it goes on. */
export const mayBeMaze = ({ back, fresh }: Branch) => back <= STRAY_BACKS + fresh / FRESH_PER_BACK_OF_DOUBTFUL;

const onlyLeadsOn = (branch: Branch) => branch.back <= branch.fresh / freshPerBack(branch) && branch.fresh >= EXPLOSIVE * branch.pages;

function freshPerBack(branch: Branch): number {
  const isMixed = branch.mixed >= MOSTLY_MIXED * branch.pages;
  return isMixed || isBarren(branch) ? FRESH_PER_BACK_OF_DOUBTFUL : FRESH_PER_BACK;
}

export const isDoubtful = (branch: Branch) =>
  branch.requests >= DEAR.suspect && mayBeMaze(branch) && branch.fresh >= EXPLOSIVE * branch.pages;

export const isSuspect = (branch: Branch) => !branch.isMaze && branch.requests >= limitsOf(branch).suspect && onlyLeadsOn(branch);

/** Whether it leads on without end, as far as anyone can tell who was there so often. */
export function isEndless(branch: Branch, patience: number): boolean {
  if (!onlyLeadsOn(branch)) return false;
  const limits = limitsOf(branch);
  // What says the same on every page and has many ends may be a tree of folders: it is given the time of any other.
  return [limits, CHEAP].some((each) => {
    const isLarge = branch.requests >= each.judge * patience && branch.fresh >= each.fresh && branch.bottoms >= each.bottoms;
    const ends = each === CHEAP ? branch.ends + branch.numbered : branch.ends;
    return isLarge && ends <= each.ends * branch.pages;
  });
}
