import { readdir, readFile } from "node:fs/promises";

/** A process of a browser, where the system shows them (Linux). */
export interface BrowserProcess {
  readonly pid: number;
  /** Bytes that are its own. */
  readonly memory: number;
  /** Whether it holds pages, and nothing but pages. */
  readonly holdsPages: boolean;
}

/** Every process that descends from one whose environment bears the mark. Empty where it cannot be told. */
export async function processesOf(mark: string): Promise<BrowserProcess[]> {
  const roots = await marked(mark);
  const found: BrowserProcess[] = [];
  const seen = new Set<number>();
  for (let next = roots.pop(); next !== undefined; next = roots.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    roots.push(...(await childrenOf(next)));
    const one = await measure(next);
    if (one) found.push(one);
  }
  return found;
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
