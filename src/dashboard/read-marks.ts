/** Which changes somebody has read: kept in the browser they were read with. */
import { useState } from "preact/hooks";

const PLACE = "nuthatch.read";
const MOST = 5000;

/** Of a page between two runs. */
export const markOf = (from: number, to: number, pageId: number): string => `${from}-${to}-${pageId}`;

/** With these marks or without them, the oldest left out where there are too many. */
export function withMarks(before: ReadonlySet<string>, marks: readonly string[], isRead: boolean): ReadonlySet<string> {
  const after = new Set(before);
  for (const mark of marks) {
    after.delete(mark);
    if (isRead) after.add(mark);
  }
  return new Set([...after].slice(-MOST));
}

/** Nothing where the browser keeps nothing. */
function kept(): ReadonlySet<string> {
  try {
    const read: unknown = JSON.parse(localStorage.getItem(PLACE) ?? "[]");
    return new Set(Array.isArray(read) ? read.filter((mark) => typeof mark === "string") : []);
  } catch {
    return new Set(); // storage is closed to us, or not ours: then it lasts as long as the screen
  }
}

function keep(marks: ReadonlySet<string>): void {
  try {
    localStorage.setItem(PLACE, JSON.stringify([...marks]));
  } catch (cause) {
    console.warn("what was read is not kept", cause);
  }
}

export function useReadMarks(): { readonly read: ReadonlySet<string>; mark(marks: readonly string[], isRead: boolean): void } {
  const [read, setRead] = useState(kept);
  const mark = (marks: readonly string[], isRead: boolean) => {
    // Somebody may have read more in another window.
    const latest = kept();
    const after = withMarks(latest.size > 0 ? latest : read, marks, isRead);
    keep(after);
    setRead(after);
  };
  return { read, mark };
}
