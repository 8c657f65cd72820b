/**
 * Settings of glibc's malloc for a process that runs for days; they must be set before it starts (decision 37). By default malloc raises
 * the size above which a block is returned to the system at once to that of the largest block freed so far. After one page of 9 MB, all
 * bodies are allocated in arenas that are seldom returned and become fragmented. These values are malloc's initial ones; setting them
 * turns that adaptation off. Other C libraries ignore them.
 */
export const mallocSettings: Readonly<Record<string, string>> = {
  MALLOC_MMAP_THRESHOLD_: "131072",
  MALLOC_TRIM_THRESHOLD_: "131072",
};
