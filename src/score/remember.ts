const MOST = 5000;
/** Longer texts hardly come twice. */
const LONGEST = 1000;

/** Pages of a site say the same things in the same places. What is remembered is bounded: all is forgotten when it is full. */
export function remembering<Result>(make: (text: string) => Result): (text: string) => Result {
  const memo = new Map<string, Result>();
  return (text) => {
    const known = memo.get(text);
    if (known !== undefined) return known;
    const made = make(text);
    if (text.length > LONGEST) return made;
    if (memo.size >= MOST) memo.clear();
    memo.set(text, made);
    return made;
  };
}
