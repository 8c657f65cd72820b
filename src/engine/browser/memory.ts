import { readdir, readFile } from "node:fs/promises";

/** A process of a browser, on systems that expose processes (Linux). */
export interface BrowserProcess {
  readonly pid: number;
  /** Private bytes. */
  readonly memory: number;
  /** Whether it is a renderer process, which holds only pages. */
  readonly holdsPages: boolean;
}

/** The page size of nearly all Linux systems. */
const PAGE_BYTES = 4096;

/** Lists all processes that descend from one with the mark in its environment. Empty on systems that do not expose processes. */
export function openProcessList(mark: string): () => Promise<BrowserProcess[]> {
  let roots: readonly number[] = [];
  /** By process id: the command line does not change, so it is read once. */
  let known = new Map<number, boolean>();
  return async () => {
    if (roots.length === 0) roots = await findMarked(mark);
    const next = [...roots];
    const found = new Map<number, BrowserProcess>();
    for (let pid = next.pop(); pid !== undefined; pid = next.pop()) {
      if (found.has(pid)) continue;
      const holdsPages = known.get(pid) ?? (await isRenderer(pid));
      const [memory, children] = await Promise.all([memoryOf(pid), childrenOf(pid, roots.includes(pid))]);
      found.set(pid, { pid, memory, holdsPages });
      next.push(...children);
    }
    known = new Map([...found.values()].map(({ pid, holdsPages }) => [pid, holdsPages]));
    return [...found.values()];
  };
}

/** A process that has exited has no files. */
const readText = (path: string) => readFile(path, "latin1").catch(() => "");

async function findMarked(mark: string): Promise<number[]> {
  const pids = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name));
  const hasMark = await Promise.all(pids.map(async (pid) => (await readText(`/proc/${pid}/environ`)).includes(mark)));
  return pids.filter((_, at) => hasMark[at]).map(Number);
}

/** The main process starts children from several threads; these start theirs only from their first thread. */
async function childrenOf(pid: number, isRoot: boolean): Promise<number[]> {
  const threads = isRoot ? await readdir(`/proc/${pid}/task`).catch(() => []) : [String(pid)];
  const lists = await Promise.all(threads.map((thread) => readText(`/proc/${pid}/task/${thread}/children`)));
  return lists.flatMap((list) => list.split(" ").filter(Boolean).map(Number));
}

async function isRenderer(pid: number): Promise<boolean> {
  return /--type=renderer|-contentproc|WebKitWebProcess/.test(await readText(`/proc/${pid}/cmdline`));
}

async function memoryOf(pid: number): Promise<number> {
  const [, resident = 0, shared = 0] = (await readText(`/proc/${pid}/statm`)).split(" ").map(Number);
  return (resident - shared) * PAGE_BYTES;
}

/** Renderers with more memory are killed, as if their tab had crashed. */
const MAX_RENDERER_BYTES = 1024 ** 3;

export function killTooLarge(processes: readonly BrowserProcess[]): void {
  for (const { pid, memory, holdsPages } of processes) if (holdsPages && memory > MAX_RENDERER_BYTES) kill(pid);
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
