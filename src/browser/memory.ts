import { readdir, readFile } from "node:fs/promises";

/** A process of a browser, where the system shows them (Linux). */
export interface BrowserProcess {
  readonly pid: number;
  /** Bytes that are its own. */
  readonly memory: number;
  /** Whether it holds pages, and nothing but pages. */
  readonly holdsPages: boolean;
}

/** As nearly every Linux has it. */
const PAGE = 4096;

/** Tells of every process that descends from one whose environment bears the mark. Of none where the system does not show them. */
export function watchProcesses(mark: string): () => Promise<BrowserProcess[]> {
  let roots: readonly number[] = [];
  /** What does not change is read once. */
  let known = new Map<number, boolean>();
  return async () => {
    if (roots.length === 0) roots = await marked(mark);
    const next = [...roots];
    const found = new Map<number, BrowserProcess>();
    for (let pid = next.pop(); pid !== undefined; pid = next.pop()) {
      if (found.has(pid)) continue;
      const holdsPages = known.get(pid) ?? (await isForPages(pid));
      const [memory, children] = await Promise.all([memoryOf(pid), childrenOf(pid, roots.includes(pid))]);
      found.set(pid, { pid, memory, holdsPages });
      next.push(...children);
    }
    known = new Map([...found.values()].map(({ pid, holdsPages }) => [pid, holdsPages]));
    return [...found.values()];
  };
}

/** What has ended says nothing. */
const text = (path: string) => readFile(path, "latin1").catch(() => "");

async function marked(mark: string): Promise<number[]> {
  const pids = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name));
  const bears = await Promise.all(pids.map(async (pid) => (await text(`/proc/${pid}/environ`)).includes(mark)));
  return pids.filter((_, at) => bears[at]).map(Number);
}

/** A browser starts others from several of its threads; those it started, from their first. */
async function childrenOf(pid: number, isRoot: boolean): Promise<number[]> {
  const threads = isRoot ? await readdir(`/proc/${pid}/task`).catch(() => []) : [String(pid)];
  const lists = await Promise.all(threads.map((thread) => text(`/proc/${pid}/task/${thread}/children`)));
  return lists.flatMap((list) => list.split(" ").filter(Boolean).map(Number));
}

async function isForPages(pid: number): Promise<boolean> {
  return /--type=renderer|-contentproc|WebKitWebProcess/.test(await text(`/proc/${pid}/cmdline`));
}

async function memoryOf(pid: number): Promise<number> {
  const [, resident = 0, shared = 0] = (await text(`/proc/${pid}/statm`)).split(" ").map(Number);
  return (resident - shared) * PAGE;
}

/** A page that needs more is ended, as if its tab had died. */
const MOST_FOR_PAGE = 1024 ** 3;

export function endGreedy(processes: readonly BrowserProcess[]): void {
  for (const { pid, memory, holdsPages } of processes) if (holdsPages && memory > MOST_FOR_PAGE) end(pid);
}

function end(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
