/**
 * Settings of glibc's malloc for a process that runs for days; they hold from its start or not at all (decision 37). By itself malloc raises
 * the size from which a block is given back to the system at once to that of the largest block freed so far. After one page of 9 MB, all
 * bodies come from areas that are seldom given back, and leave gaps there. These are the sizes malloc begins with. Other systems take no notice.
 */
export const mallocSettings: Readonly<Record<string, string>> = {
  MALLOC_MMAP_THRESHOLD_: "131072",
  MALLOC_TRIM_THRESHOLD_: "131072",
};
