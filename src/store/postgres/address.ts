/** Whether a database is named that is not a file. */
export const isPostgres = (db: string): boolean => /^postgres(?:ql)?:\/\//i.test(db);

/** As it may be shown: without the password, wherever it stands. */
export function withoutPassword(url: string): string {
  if (!URL.canParse(url)) return url.replace(/\/\/.*@/, "//");
  const address = new URL(url);
  address.password = "";
  for (const name of [...address.searchParams.keys()]) if (/password/i.test(name)) address.searchParams.delete(name);
  return address.href;
}
