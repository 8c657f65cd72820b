/** A server as people start it, and what a client needs to ask it. */
import { type ChildProcess, spawn } from "node:child_process";
import { nuthatchBin } from "./cli.ts";

export interface RunningServer {
  readonly url: string;
  readonly child: ChildProcess;
  readonly said: () => string;
  ask(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answered>;
  /** Of a stream of events, until `enough` says so or it ends. */
  events(path: string, enough: (heard: readonly Heard[]) => boolean, headers?: Record<string, string>): Promise<Heard[]>;
  kill(signal: NodeJS.Signals): Promise<void>;
}

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: what a test expects of an answer is in its expectations
  readonly body: any;
}

export interface Heard {
  readonly id: string | undefined;
  readonly type: string;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly data: any;
}

export async function startServer(args: readonly string[], env: Record<string, string> = {}, bin = nuthatchBin): Promise<RunningServer> {
  const child = spawn(process.execPath, [bin, "serve", ...args], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  const url = await new Promise<string>((resolve, reject) => {
    child.once("exit", () => reject(new Error(`the server ended: ${said}`)));
    child.stderr!.setEncoding("utf8").on("data", (text: string) => {
      said += text;
      const found = /listens on (\S+)/.exec(said)?.[1];
      if (found) resolve(found);
    });
  });
  return {
    url,
    child,
    said: () => said,
    ask: async (method, path, body, headers = {}) => {
      const sent = body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json", ...headers } };
      const response = await fetch(`${url}${path.startsWith("/api/") ? "" : "/api/v1"}${path}`, { method, headers, ...sent });
      const text = await response.text();
      const isJson = /json\b/.test(response.headers.get("content-type") ?? "") && !response.headers.get("content-type")!.includes("jsonl");
      return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
    },
    events: (path, enough, headers = {}) => hear(`${url}/api/v1${path}`, enough, headers),
    kill: (signal) =>
      new Promise((resolve) => {
        child.once("exit", () => resolve());
        child.kill(signal);
      }),
  };
}

async function hear(url: string, enough: (heard: readonly Heard[]) => boolean, headers: Record<string, string>): Promise<Heard[]> {
  const leave = new AbortController();
  const response = await fetch(url, { headers, signal: leave.signal });
  if (response.status === 204) return [];
  if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
  const heard: Heard[] = [];
  let text = "";
  try {
    for await (const part of response.body!.pipeThrough(new TextDecoderStream())) {
      text += part;
      const blocks = text.split("\n\n");
      text = blocks.pop()!;
      for (const block of blocks) {
        const lines = new Map(block.split("\n").map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]));
        if (lines.has("data")) heard.push({ id: lines.get("id"), type: lines.get("event")!, data: JSON.parse(lines.get("data")!) });
      }
      if (enough(heard)) break;
    }
  } catch (cause) {
    // A server that is killed leaves its streams unfinished.
    if (!/terminated|abort/i.test(String(cause))) throw cause;
  } finally {
    leave.abort();
  }
  return heard;
}
