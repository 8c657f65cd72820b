/**
 * Settings of glibc's malloc for a process that runs for days; they hold from its start or not at all (decision 37). By itself malloc raises
 * the size from which a block is given back to the system to that of the largest block freed so far: after one page of 9 MB, all bodies
 * are cut out of areas that are never given back, and leave gaps there. Other systems' malloc takes no notice.
 */
export const mallocSettings: Readonly<Record<string, string>> = {
  MALLOC_MMAP_THRESHOLD_: "1048576",
  MALLOC_TRIM_THRESHOLD_: "16777216",
};
