/** ETags and conditional requests (RFC 9110 §13). */
import { hash } from "node:crypto";
import { Problem } from "./problem.ts";
import type { RequestContext } from "./route.ts";

export const etagOf = (...parts: readonly unknown[]): string => `"${hash("sha256", JSON.stringify(parts), "hex").slice(0, 24)}"`;

const includesEtag = (header: string, etag: string) =>
  header.split(",").some((one) => one.trim() === "*" || one.trim().replace(/^W\//, "") === etag);

export const isUnchanged = ({ ifNoneMatch }: RequestContext, etag: string): boolean =>
  ifNoneMatch !== undefined && includesEtag(ifNoneMatch, etag);

/** For a request with `If-Match`: refuses the change if the resource has changed since the client read it. */
export function refuseIfChanged({ ifMatch }: RequestContext, etag: string): void {
  if (ifMatch === undefined || includesEtag(ifMatch, etag)) return;
  throw new Problem("precondition-failed", "it has changed since you looked: get it again, and try again", { etag });
}
