import type { Page } from "playwright-core";

/** A response whose head was received, and which is held until it is permitted. */
export interface HeldResponse {
  readonly url: string;
  readonly method: string;
  readonly status: number;
  /** Names and values alternating, decoded as Latin-1. */
  readonly headerLines: readonly string[];
  /** The request destination by the Fetch standard: `script`, `iframe`; empty for requests by scripts. */
  readonly destination: string;
  /** Whether it is the response for the page's own document. */
  readonly isMain: boolean;
}

/** The BiDi event. */
interface ResponseStarted {
  readonly isBlocked: boolean;
  readonly context: string | null;
  readonly navigation: string | null;
  readonly request: { readonly request: string; readonly url: string; readonly method: string; readonly destination?: string | null };
  readonly response: { readonly status: number; readonly headers: readonly Header[] };
}
interface Header {
  readonly name: string;
  readonly value: { readonly type: "string" | "base64"; readonly value: string };
}
interface BidiSession {
  readonly sessionId: string;
  send(method: string, params: object): Promise<unknown>;
  on(event: "network.responseStarted", listener: (started: ResponseStarted) => void): unknown;
}

/**
 * Playwright can hold requests but not responses, and it follows redirects itself. So responses are held over
 * Playwright's internal BiDi session; as this is not a public API, Playwright's version is pinned. Returns false if
 * there is no such session, as with Playwright's own Firefox build.
 */
export async function holdResponses(page: Page, decide: (answer: HeldResponse) => "go" | "stop"): Promise<boolean> {
  const session = bidiSessionOf(page);
  if (session === undefined) return false;
  const { sessionId } = session;
  session.on("network.responseStarted", (started) => {
    if (!started.isBlocked) return;
    const method = decide(heldResponseOf(started, sessionId)) === "go" ? "network.continueResponse" : "network.failRequest";
    // The page may have been closed meanwhile.
    session.send(method, { request: started.request.request }).catch(() => undefined);
  });
  return session.send("network.addIntercept", { phases: ["responseStarted"], contexts: [sessionId] }).then(
    () => true,
    () => false,
  );
}

function bidiSessionOf(page: Page): BidiSession | undefined {
  const { _connection: connection } = page as unknown as {
    readonly _connection?: { toImpl?(page: Page): { readonly delegate?: { readonly _session?: BidiSession } } | undefined };
  };
  const session = connection?.toImpl?.(page)?.delegate?._session;
  return typeof session?.sessionId === "string" ? session : undefined;
}

const heldResponseOf = ({ context, navigation, request, response }: ResponseStarted, sessionId: string): HeldResponse => ({
  url: request.url,
  method: request.method,
  status: response.status,
  headerLines: response.headers.flatMap(({ name, value }) => [
    name,
    Buffer.from(value.value, value.type === "base64" ? "base64" : "utf8").toString("latin1"),
  ]),
  destination: request.destination ?? "",
  isMain: navigation !== null && context === sessionId,
});
