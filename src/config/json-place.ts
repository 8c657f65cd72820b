/** Where JSON breaks off, as a person counts: V8 names a position only in some of its messages. */
export function placeOfError(written: string, error: Error): { line: number; column: number; message: string } {
  const at = /position (\d+)/.exec(error.message)?.[1];
  const before = written.slice(0, at === undefined ? breakIn(written) : Number(at)).split("\n");
  const message = error.message.replace(/( in JSON)? at position \d+.*$/s, "").replace(/, (\.\.\.)?".*is not valid JSON$/s, "");
  return { line: before.length, column: before.at(-1)!.length + 1, message };
}

/** A beginning that could still become JSON fails only at its end; the shortest that fails before it ends where the mistake is. */
function breakIn(written: string): number {
  let [good, bad] = [0, written.length + 1];
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (couldGoOn(written.slice(0, middle))) good = middle;
    else bad = middle;
  }
  return good;
}

function couldGoOn(beginning: string): boolean {
  try {
    JSON.parse(beginning);
    return true;
  } catch (error) {
    const { message } = error as Error;
    const at = /position (\d+)/.exec(message)?.[1];
    return /end of JSON input|Unterminated string/.test(message) || Number(at) === beginning.length;
  }
}
