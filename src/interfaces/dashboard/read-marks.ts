/** Changes the user has read, stored in the browser. */
import { useState } from "preact/hooks";

const STORAGE_KEY = "nuthatch.read";
const MAX_MARKS = 5000;

/** Key of a page's change between two runs. */
export const markOf = (from: number, to: number, pageId: number): string => `${from}-${to}-${pageId}`;

/** Adds or removes marks; beyond `MAX_MARKS`, the oldest are dropped. */
export function withMarks(before: ReadonlySet<string>, marks: readonly string[], isRead: boolean): ReadonlySet<string> {
  const after = new Set(before);
  for (const mark of marks) {
    after.delete(mark);
    if (isRead) after.add(mark);
  }
  return new Set([...after].slice(-MAX_MARKS));
}

/** Empty if the browser stores nothing. */
function loadMarks(): ReadonlySet<string> {
  try {
    const read: unknown = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "[]");
    return new Set(Array.isArray(read) ? read.filter((mark) => typeof mark === "string") : []);
  } catch {
    return new Set(); // storage is blocked or its content is invalid: marks last as long as the screen
  }
}

function saveMarks(marks: ReadonlySet<string>): void {
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify([...marks]));
  } catch (cause) {
    console.warn("what was read is not kept", cause);
  }
}

export function useReadMarks(): { readonly read: ReadonlySet<string>; mark(marks: readonly string[], isRead: boolean): void } {
  const [read, setRead] = useState(loadMarks);
  const mark = (marks: readonly string[], isRead: boolean) => {
    // Another window may have changed the marks.
    const latest = loadMarks();
    const after = withMarks(latest.size > 0 ? latest : read, marks, isRead);
    saveMarks(after);
    setRead(after);
  };
  return { read, mark };
}
