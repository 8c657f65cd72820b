import type { Page } from "playwright-core";

/** An answer whose head has come, and that goes no further until it was decided. */
export interface HeldAnswer {
  readonly url: string;
  readonly method: string;
  readonly status: number;
  /** Names and values in turn, a byte a character. */
  readonly lines: readonly string[];
  /** What it is for, in the words of Fetch: `script`, `iframe`; empty for what a script asks for. */
  readonly destination: string;
  /** To the request for the document of the page itself. */
  readonly isMain: boolean;
}

/** As BiDi tells of it. */
interface Started {
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
interface Line {
  readonly sessionId: string;
  send(method: string, params: object): Promise<unknown>;
  on(event: "network.responseStarted", hear: (started: Started) => void): unknown;
}

/**
 * Playwright holds what a page asks for, but not what is answered, and follows redirects by itself. So they are held on its own line to the browser, which it does not
 * promise to keep where it is: its version is pinned. False where there is no such line, as with the Firefox that Playwright brings.
 */
export async function holdAnswers(page: Page, decide: (answer: HeldAnswer) => "go" | "stop"): Promise<boolean> {
  const line = lineOf(page);
  if (line === undefined) return false;
  const { sessionId } = line;
  line.on("network.responseStarted", (started) => {
    if (!started.isBlocked) return;
    const method = decide(answerOf(started, sessionId)) === "go" ? "network.continueResponse" : "network.failRequest";
    // Who has gone meanwhile needs no answer.
    line.send(method, { request: started.request.request }).catch(() => undefined);
  });
  return line.send("network.addIntercept", { phases: ["responseStarted"], contexts: [sessionId] }).then(
    () => true,
    () => false,
  );
}

function lineOf(page: Page): Line | undefined {
  const { _connection: inside } = page as unknown as {
    readonly _connection?: { toImpl?(page: Page): { readonly delegate?: { readonly _session?: Line } } | undefined };
  };
  const line = inside?.toImpl?.(page)?.delegate?._session;
  return typeof line?.sessionId === "string" ? line : undefined;
}

const answerOf = ({ context, navigation, request, response }: Started, sessionId: string): HeldAnswer => ({
  url: request.url,
  method: request.method,
  status: response.status,
  lines: response.headers.flatMap(({ name, value }) => [
    name,
    Buffer.from(value.value, value.type === "base64" ? "base64" : "utf8").toString("latin1"),
  ]),
  destination: request.destination ?? "",
  isMain: navigation !== null && context === sessionId,
});
