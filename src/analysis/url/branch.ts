/** Counts for the subtree below one page, along the links that first named each page. */
export interface Branch {
  pages: number;
  /** Pages, redirects, and robots.txt requests of hosts first met here. */
  requests: number;
  /** Pages on another host than the page that named them. */
  abroad: number;
  fresh: number;
  /** Links to pages known from elsewhere, each target once. */
  back: number;
  /** Pages at a limit that still lead on. */
  bottoms: number;
  /** Pages without new links. */
  ends: number;
  /** Pages with a sequential number in their URL. */
  numbered: number;
  /** Pages whose text was examined, and those with new text. */
  heard: number;
  news: number;
  /** Pages whose URLs consist of known parts only. */
  mixed: number;
  isMaze: boolean;
}

/**
 * A maze has at most one link back per this many new links. By the birthday rule, a hundred pages of a site of thousands that link at
 * random name many pages twice.
 */
const NEW_PER_BACK_LINK = 400;
/**
 * The same where names are mixed from few words, some of which repeat by chance, and where pages say nothing new, so that more evidence is
 * needed for a site. Webs of up to about four thousand thin pages have more links back than this.
 */
const NEW_PER_BACK_LINK_DOUBTFUL = 80;
const MIN_MIXED_SHARE = 0.3;
const CHANCE_BACK_LINKS = 4;
/** After this many pages with hardly any new text a branch is barren. */
const MIN_EXAMINED = 20;
const MAX_NEW_TEXT_SHARE = 0.15;
/** New links per page. A list that goes on by one page at a time ends at the depth limit without a verdict. */
const MIN_NEW_LINKS_PER_PAGE = 1.5;
/**
 * Limits before a verdict: requests until suspicion and until judgement, new links, pages at the depth limit, and the largest share of
 * pages that end.
 */
const GENERAL_LIMITS = { suspect: 24, judge: 105, fresh: 240, bottoms: 5, ends: 0.35 };
/** Limits if nearly every page is on a host of its own, which costs more requests. */
const MANY_HOSTS_LIMITS = { suspect: 12, judge: 60, fresh: 60, bottoms: 2, ends: 0.5 };
/** Limits if most pages are behind redirects to other names. */
const REDIRECT_LIMITS = { suspect: 12, judge: 50, fresh: 60, bottoms: 2, ends: 0.5 };
const NO_NEW_TEXT_LIMITS = { suspect: 24, judge: 80, fresh: 120, bottoms: 3, ends: 0.25 };

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

const hasNoNewText = ({ heard, news }: Branch) => heard >= MIN_EXAMINED && news <= MAX_NEW_TEXT_SHARE * heard;

function limitsOf(branch: Branch) {
  if (branch.abroad > 0.8 * branch.pages) return MANY_HOSTS_LIMITS;
  if (hasNoNewText(branch)) return NO_NEW_TEXT_LIMITS;
  return branch.requests > 1.6 * branch.pages ? REDIRECT_LIMITS : GENERAL_LIMITS;
}

/** A branch that led back too often can no longer become a maze. */
export const mayBeMaze = ({ back, fresh }: Branch) => back <= CHANCE_BACK_LINKS + fresh / NEW_PER_BACK_LINK_DOUBTFUL;

const hasMostlyNewLinks = (branch: Branch) =>
  branch.back <= branch.fresh / newPerBackLink(branch) && branch.fresh >= MIN_NEW_LINKS_PER_PAGE * branch.pages;

function newPerBackLink(branch: Branch): number {
  const isMixed = branch.mixed >= MIN_MIXED_SHARE * branch.pages;
  return isMixed || hasNoNewText(branch) ? NEW_PER_BACK_LINK_DOUBTFUL : NEW_PER_BACK_LINK;
}

export const mayBecomeMaze = (branch: Branch) =>
  branch.requests >= MANY_HOSTS_LIMITS.suspect && mayBeMaze(branch) && branch.fresh >= MIN_NEW_LINKS_PER_PAGE * branch.pages;

export const isSuspect = (branch: Branch) => !branch.isMaze && branch.requests >= limitsOf(branch).suspect && hasMostlyNewLinks(branch);

/** Whether the branch is endless, judged by the evidence so far. */
export function isEndless(branch: Branch, limitFactor: number): boolean {
  if (!hasMostlyNewLinks(branch)) return false;
  const limits = limitsOf(branch);
  // A barren branch with many ends may be a tree of folders, so it is also judged by the general limits.
  return [limits, GENERAL_LIMITS].some((each) => {
    const isLarge = branch.requests >= each.judge * limitFactor && branch.fresh >= each.fresh && branch.bottoms >= each.bottoms;
    const ends = each === GENERAL_LIMITS ? branch.ends + branch.numbered : branch.ends;
    return isLarge && ends <= each.ends * branch.pages;
  });
}
