/** Line and column of a JSON error, counted from 1. V8 includes the position only in some of its messages. */
export function positionOfError(written: string, error: Error): { line: number; column: number; message: string } {
  const at = /position (\d+)/.exec(error.message)?.[1];
  const before = written.slice(0, at === undefined ? findBreak(written) : Number(at)).split("\n");
  const message = error.message.replace(/( in JSON)? at position \d+.*$/s, "").replace(/, (\.\.\.)?".*is not valid JSON$/s, "");
  return { line: before.length, column: before.at(-1)!.length + 1, message };
}

/** A prefix of valid JSON fails only at its end. The shortest prefix that fails earlier ends at the error; found by binary search. */
function findBreak(written: string): number {
  let [good, bad] = [0, written.length + 1];
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (isIncomplete(written.slice(0, middle))) good = middle;
    else bad = middle;
  }
  return good;
}

function isIncomplete(beginning: string): boolean {
  try {
    JSON.parse(beginning);
    return true;
  } catch (error) {
    const { message } = error as Error;
    const at = /position (\d+)/.exec(message)?.[1];
    return /end of JSON input|Unterminated string/.test(message) || Number(at) === beginning.length;
  }
}
