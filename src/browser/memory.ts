import { readdir, readFile } from "node:fs/promises";

/** A process of a browser, where the system shows them (Linux). */
export interface BrowserProcess {
  readonly pid: number;
  /** Bytes that are its own. */
  readonly memory: number;
  /** Whether it holds pages, and nothing but pages. */
  readonly holdsPages: boolean;
}

/** Tells of every process that descends from one whose environment bears the mark. Of none where the system does not show them. */
export function watchProcesses(mark: string): () => Promise<BrowserProcess[]> {
  let roots: readonly number[] = [];
  return async () => {
    // To look into all there are takes time, and they do not change.
    if (roots.length === 0) roots = await marked(mark);
    const next = [...roots];
    const seen = new Set<number>();
    const found: BrowserProcess[] = [];
    for (let pid = next.pop(); pid !== undefined; pid = next.pop()) {
      if (seen.has(pid)) continue;
      seen.add(pid);
      const [one, children] = await Promise.all([measure(pid), childrenOf(pid)]);
      if (one) found.push(one);
      next.push(...children);
    }
    return found;
  };
}

const text = (path: string) => readFile(path, "latin1").catch(() => "");

async function marked(mark: string): Promise<number[]> {
  const pids = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name));
  const bears = await Promise.all(pids.map(async (pid) => (await text(`/proc/${pid}/environ`)).includes(mark)));
  return pids.filter((_, at) => bears[at]).map(Number);
}

async function childrenOf(pid: number): Promise<number[]> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  const lists = await Promise.all(threads.map((thread) => text(`/proc/${pid}/task/${thread}/children`)));
  return lists.flatMap((list) => list.split(" ").filter(Boolean).map(Number));
}

async function measure(pid: number): Promise<BrowserProcess | undefined> {
  const [status, command] = await Promise.all([text(`/proc/${pid}/status`), text(`/proc/${pid}/cmdline`)]);
  const own = /^RssAnon:\s+(\d+) kB/m.exec(status)?.[1];
  return own === undefined ? undefined : { pid, memory: Number(own) * 1024, holdsPages: /--type=renderer|-contentproc\0/.test(command) };
}
