/** Read by every command, or made of many small files: joined into our own files. Everything else stays where npm puts it. */
export const joined = ["commander", "css-what", "culori", "ipaddr.js", "picocolors", "zod"];
