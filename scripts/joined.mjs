/** Read by every command, and slow to find one by one: joined into our own files. Everything else stays where npm puts it. */
export const joined = ["commander", "ipaddr.js", "picocolors", "zod"];
