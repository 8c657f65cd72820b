import { createHash, randomBytes } from "node:crypto";
import type { App } from "../../engine/app.ts";
import { SetupError } from "../../engine/config/index.ts";
import type { ApiKey, KeyScope } from "../../store/index.ts";

export const keyScopes: readonly KeyScope[] = ["read", "write", "admin"];

/** The stored form of a key. A key has 256 random bits, so a slow password hash is not needed. */
export const keyHash = (key: string): string => createHash("sha256").update(key).digest("hex");

/** The only time that the key itself is shown. */
export async function createKey({ store, world }: App, { name, scope }: { readonly name: string; readonly scope: KeyScope }) {
  const key = `nh_${randomBytes(32).toString("base64url")}`;
  return { key, card: await store.keys.add({ name, hash: keyHash(key), scope, at: world.clock.wall() }) };
}

export async function removeKey({ store }: App, id: number): Promise<void> {
  if (!(await store.keys.remove(id))) throw new SetupError(`there is no key ${id}`, "nuthatch keys lists them");
}

/** For display and JSON. */
export const keyRecord = ({ id, name, scope, madeAt, usedAt }: ApiKey) => ({
  id,
  name,
  scope,
  madeAt: new Date(madeAt).toISOString(),
  usedAt: usedAt === undefined ? null : new Date(usedAt).toISOString(),
});
