/** Whether a database is named that is not a file. */
export const isPostgres = (db: string): boolean => /^postgres(?:ql)?:\/\//i.test(db);

/** A database as it may be shown: without its password, wherever that stands. */
export function withoutPassword(db: string): string {
  if (!isPostgres(db)) return db;
  if (!URL.canParse(db)) return db.replace(/\/\/[^/]*@/, "//");
  const address = new URL(db);
  address.password = "";
  for (const name of [...address.searchParams.keys()]) if (/password/i.test(name)) address.searchParams.delete(name);
  return address.href;
}

/** The password in the address of a database, if there is one. */
export function passwordIn(db: string): string | undefined {
  if (!isPostgres(db) || !URL.canParse(db)) return undefined;
  const { password, searchParams } = new URL(db);
  const given = password === "" ? searchParams.get("password") : decodeURIComponent(password);
  return given || undefined;
}
