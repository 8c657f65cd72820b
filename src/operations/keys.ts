import { createHash, randomBytes } from "node:crypto";
import type { App } from "../app.ts";
import { SetupError } from "../config/index.ts";
import type { ApiKey, KeyScope } from "../store/index.ts";

export const keyScopes: readonly KeyScope[] = ["read", "write", "admin"];

/** What is kept of a key. It has 256 random bits, so nothing slower is needed. */
export const keyHash = (key: string): string => createHash("sha256").update(key).digest("hex");

/** The key itself is shown this once. */
export async function createKey({ store, world }: App, { name, scope }: { readonly name: string; readonly scope: KeyScope }) {
  const key = `nh_${randomBytes(32).toString("base64url")}`;
  return { key, card: await store.keys.add({ name, hash: keyHash(key), scope, at: world.clock.wall() }) };
}

export async function removeKey({ store }: App, id: number): Promise<void> {
  if (!(await store.keys.remove(id))) throw new SetupError(`there is no key ${id}`, "nuthatch keys lists them");
}

/** As people and programs read it. */
export const keyRecord = ({ id, name, scope, madeAt, usedAt }: ApiKey) => ({
  id,
  name,
  scope,
  madeAt: new Date(madeAt).toISOString(),
  usedAt: usedAt === undefined ? null : new Date(usedAt).toISOString(),
});
