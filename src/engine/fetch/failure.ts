import type { Reason } from "../../core/records.ts";
import type { Answer, Failed } from "./answer.ts";
import type { ProxyServer } from "./proxy.ts";

/** The phase that a request had reached when it ended. */
export type Phase = "connect" | "headers" | "body";

/** A name or an address that could not be reached. It carries its own reason, because only the dialler knows what failed. */
export class UnreachableError extends Error {
  readonly reason: Extract<Reason, "dns" | "tls" | "connection" | "timeout" | "proxy" | "private-network">;
  readonly mayHeal: boolean;

  constructor(reason: UnreachableError["reason"], message: string, mayHeal: boolean, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
    this.mayHeal = mayHeal;
  }
}

/** A name that does not exist will not exist during this run; a failing name server may recover. */
export function unresolvedError(hostname: string, cause: NodeJS.ErrnoException): UnreachableError {
  return new UnreachableError("dns", `${hostname} does not resolve (${cause.code ?? cause.message})`, !isNoSuchName(cause), { cause });
}

export const isNoSuchName = (cause: unknown): boolean => /^(ENOTFOUND|ENODATA)$/.test(String((cause as NodeJS.ErrnoException).code));

export function makeFailure(reason: Reason, detail: string, more: Partial<Failed>): Failed {
  return { kind: "failed", reason, detail, status: undefined, mayHeal: true, hostFault: false, retryAfter: undefined, ...more };
}

/** This process has reached its limit of open files or connections. That is not the host's fault, and ends the run. */
export class OutOfFiles extends Error {
  readonly hint =
    "let it open more (ulimit -n 4096), or ask fewer hosts at once (--max-concurrent), and run the same command again: nothing is lost";
  constructor(detail: string) {
    super(`this process may open no more files and connections: ${detail}`);
    this.name = "OutOfFiles";
  }
}

/** Whether that is the cause, at any depth of wrapping. */
export function isOutOfFiles(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError) return error.errors.some(isOutOfFiles);
  return /^(EMFILE|ENFILE)$/.test((error as NodeJS.ErrnoException).code ?? "") || isOutOfFiles(error.cause);
}

/** Throws for a failure caused by this machine. */
export function throwIfLocalFailure<A extends Answer>(answer: A): A {
  if (answer.kind === "failed" && answer.isOurs) throw new OutOfFiles(answer.detail);
  return answer;
}

interface Attempt {
  readonly proxy: ProxyServer | undefined;
  readonly triedAddresses: readonly string[];
}

/** Until there is a connection, the proxy, if any, is what did not answer. */
export function timeoutFailure(phase: Phase, status: number | undefined, { proxy, triedAddresses }: Attempt): Failed {
  if (phase === "connect" && proxy !== undefined)
    return makeFailure("proxy", `no way through the proxy ${proxy.name} in time`, { hostFault: true });
  const details: Record<Phase, string> = {
    connect: triedAddresses.length === 0 ? "no connection in time" : `no connection to ${triedAddresses.join(", ")} in time`,
    headers: "no answer in time",
    body: "body not finished in time",
  };
  return makeFailure("timeout", details[phase], { status, hostFault: phase !== "body", wasReached: phase !== "connect" });
}

/** Classifies an error of undici or a socket. `isReused`: the server may just have closed an idle connection, which is not a fault. */
export function classifyError(error: Error, phase: Phase, status: number | undefined, isReused: boolean): Answer {
  if (isOutOfFiles(error)) return makeFailure("connection", error.message, { isOurs: true });
  if (error instanceof UnreachableError) {
    if (error.reason !== "private-network") return makeFailure(error.reason, error.message, { mayHeal: error.mayHeal, hostFault: true });
    return { kind: "refused", by: "guard", reason: "private-network", rule: error.message, status, retryAfter: undefined };
  }
  const { code = "", message } = error as NodeJS.ErrnoException;
  if (isProtocolFault(error, phase)) return makeFailure("protocol", message, { status });
  const detail = code === "UND_ERR_RES_CONTENT_LENGTH_MISMATCH" ? "body shorter than its Content-Length" : message || code;
  return makeFailure("connection", detail, { status, hostFault: phase !== "body" && !isReused, wasReached: phase !== "connect" });
}

/**
 * After a Content-Length, undici reports every parser error as a length mismatch, including two conflicting lengths; before the end of the
 * headers it cannot be about the body. A body that ends early is a broken connection, not a protocol error.
 */
function isProtocolFault({ name, code, message }: NodeJS.ErrnoException, phase: Phase): boolean {
  if (name === "HTTPParserError") return !message.includes("EOF");
  if (code === "UND_ERR_RES_CONTENT_LENGTH_MISMATCH") return phase !== "body";
  if (code === "UND_ERR_SOCKET") return message === "bad response" || message === "bad upgrade";
  return code === "UND_ERR_HEADERS_OVERFLOW";
}
