/** Endings that form another word of the same stem, in the languages that share words with English. */
const ENDINGS = new Set(
  (
    "s es ed d er ers or ors ing ings y ies ied ier e al ally ial ical ic ics ion ions tion tions ation ations ition ment ments " +
    "able ible ability ibility ance ence ancy ency ant ent ive ives ative ity ities ty ize izes izing ise ises ising ization isation ist ists ism ous ful less ness ship ly " +
    "o os a as i en n cion ciones cao coes zione zioni dad idad idade ita ite te tat taet aire aria ario ere eur euse eurs ung ungen isch ische lich iser isierung isme ista ico ica icos icas ique iques ie ien ij " +
    "ement ements age ages ado ada ados idas ar er ir ere are ando endo ant ants ns us um"
  ).split(" "),
);
const MIN_ROOT = 4;
/** Words whose final s is not a plural. */
const NOT_PLURAL = new Set("news means series species physics goods arms customs glasses contents".split(" "));

/** The same word, its plural or its singular. */
export function isSame(word: string, keyword: string): boolean {
  if (word === keyword) return true;
  const [short, long] = word.length < keyword.length ? [word, keyword] : [keyword, word];
  if (short.length < 2 || NOT_PLURAL.has(long)) return false;
  if (long.length - short.length > 2 || !long.endsWith("s")) return false;
  return long === `${short}s` || long === `${short}es` || (short.endsWith("y") && long === `${short.slice(0, -1)}ies`);
}

/** How closely two words are forms of one stem, 0 to 0.9: they share a beginning, and the rest of each is an ending. */
export function variationOf(word: string, keyword: string): number {
  const shared = sharedStart(word, keyword);
  if (shared < MIN_ROOT || shared < 0.45 * Math.max(word.length, keyword.length)) return 0;
  for (let root = shared; root >= Math.max(MIN_ROOT, shared - 1); root--) {
    if (isEnding(word, root) && isEnding(keyword, root)) return 0.9 * Math.min(1, 0.35 + root / Math.max(word.length, keyword.length));
  }
  return 0;
}

function sharedStart(a: string, b: string): number {
  const maxShared = Math.min(a.length, b.length);
  let shared = 0;
  while (shared < maxShared && a.charCodeAt(shared) === b.charCodeAt(shared)) shared++;
  return shared;
}

function isEnding(word: string, root: number): boolean {
  const rest = word.slice(root);
  // permit, permitting: the last consonant may be doubled
  return rest === "" || ENDINGS.has(rest) || (rest[0] === word[root - 1] && ENDINGS.has(rest.slice(1)));
}
