/** True if `db` is a PostgreSQL URL rather than a file. */
export const isPostgres = (db: string): boolean => /^postgres(?:ql)?:\/\//i.test(db);

/** A database address without any password, for display. */
export function withoutPassword(db: string): string {
  if (!isPostgres(db)) return db;
  if (!URL.canParse(db)) return db.replace(/\/\/[^/]*@/, "//");
  const address = new URL(db);
  address.password = "";
  for (const name of [...address.searchParams.keys()]) if (/password/i.test(name)) address.searchParams.delete(name);
  return address.href;
}

/** The password in a database URL, if there is one. */
export function passwordIn(db: string): string | undefined {
  if (!isPostgres(db) || !URL.canParse(db)) return undefined;
  const { password, searchParams } = new URL(db);
  const given = password === "" ? searchParams.get("password") : decodeURIComponent(password);
  return given || undefined;
}
