import type { Reason } from "../records.ts";
import type { Answer, Failed } from "./answer.ts";
import type { ProxyServer } from "./proxy.ts";
import { BrokenHttp } from "./response.ts";

/** How far a request had come when it ended. */
export type Phase = "connect" | "headers" | "body";

/** A name or an address that could not be reached. Carries its own verdict, because only the dialler knows what it was doing. */
export class Unreachable extends Error {
  readonly reason: Extract<Reason, "dns" | "tls" | "connection" | "timeout" | "proxy" | "private-network">;
  readonly mayHeal: boolean;

  constructor(reason: Unreachable["reason"], message: string, mayHeal: boolean, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
    this.mayHeal = mayHeal;
  }
}

/** A name that does not exist stays so for this run; a name server in trouble may recover. */
export function unresolved(hostname: string, cause: NodeJS.ErrnoException): Unreachable {
  return new Unreachable("dns", `${hostname} does not resolve (${cause.code ?? cause.message})`, !isNoSuchName(cause), { cause });
}

export const isNoSuchName = (cause: unknown): boolean => /^(ENOTFOUND|ENODATA)$/.test(String((cause as NodeJS.ErrnoException).code));

export function failed(reason: Reason, detail: string, more: Partial<Failed>): Failed {
  return { kind: "failed", reason, detail, status: undefined, mayHeal: true, hostFault: false, retryAfter: undefined, ...more };
}

const timeoutDetails: Record<Phase, string> = {
  connect: "no connection in time",
  headers: "no answer in time",
  body: "body not finished in time",
};

/** Until there is a connection, a proxy on the way is what did not answer. */
export const timedOut = (phase: Phase, status: number | undefined, proxy: ProxyServer | undefined): Failed =>
  phase === "connect" && proxy !== undefined
    ? failed("proxy", `no way through the proxy ${proxy.name} in time`, { hostFault: true })
    : failed("timeout", timeoutDetails[phase], { status, hostFault: phase !== "body" });

/** Names what a line or its socket reported. `isReused`: the server may just have closed a connection that was idle, which is no fault of its. */
export function classify(error: Error, phase: Phase, status: number | undefined, isReused: boolean): Answer {
  if (error instanceof Unreachable) {
    if (error.reason !== "private-network") return failed(error.reason, error.message, { mayHeal: error.mayHeal, hostFault: true });
    return { kind: "refused", by: "guard", reason: "private-network", rule: error.message, status, retryAfter: undefined };
  }
  const { code = "", message } = error as NodeJS.ErrnoException;
  if (error instanceof BrokenHttp) return failed("protocol", message, { status });
  return failed("connection", message || code, { status, hostFault: phase !== "body" && !isReused });
}
