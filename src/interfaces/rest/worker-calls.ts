/** Calls between the front and its workers (threads and processes). Answers may be streamed, with back-pressure from the reader. */
import { Problem, type ProblemDetails, type ProblemName } from "./problem.ts";

/** One end of a thread's port or a process's channel. */
export interface Transport {
  post(message: unknown): void;
  onMessage(listen: (message: unknown) => void): void;
  /** Called once, when no more messages can arrive. */
  onEnd(listen: () => void): void;
}

/** An answer on the wire. JSON is serialized by the worker. */
export interface TransportReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly type: string | undefined;
  readonly body: string | undefined;
  /** Body parts follow. */
  readonly isStream: boolean;
}

type Message =
  | { readonly call: number; readonly name: string; readonly input: unknown }
  | { readonly cancel: number }
  | { readonly more: number }
  | { readonly answer: number; readonly reply: TransportReply }
  | { readonly part: number; readonly data: string | Uint8Array }
  | { readonly end: number }
  | { readonly fail: number; readonly problem: ProblemName; readonly detail: string; readonly extra: ProblemDetails }
  | { readonly event: unknown };

export interface PeerReply extends TransportReply {
  readonly parts: AsyncIterable<string | Uint8Array>;
}

interface Pending {
  readonly resolve: (reply: PeerReply) => void;
  readonly reject: (cause: unknown) => void;
  part?: (part: IteratorResult<string | Uint8Array, undefined>) => void;
  broken?: (cause: unknown) => void;
}

/** The calling side. */
export class Caller {
  readonly #transport: Transport;
  readonly #pending = new Map<number, Pending>();
  #last = 0;
  #isOver = false;

  constructor(transport: Transport, onEvent: (event: unknown) => void = () => undefined) {
    this.#transport = transport;
    transport.onMessage((message) => this.#receive(message as Message, onEvent));
    transport.onEnd(() => this.#end());
  }

  /** Number of pending calls; the next call goes to the least busy worker. */
  get waiting(): number {
    return this.#pending.size;
  }

  call(name: string, input: unknown, signal?: AbortSignal): Promise<PeerReply> {
    if (this.#isOver) return Promise.reject(stoppedProblem());
    this.#last += 1;
    const id = this.#last;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      signal?.addEventListener("abort", () => this.#cancel(id, signal.reason), { once: true });
      this.#transport.post({ call: id, name, input });
    });
  }

  #cancel(id: number, cause: unknown): void {
    const pending = this.#pending.get(id);
    if (!pending) return;
    this.#pending.delete(id);
    this.#transport.post({ cancel: id });
    pending.reject(cause);
    pending.broken?.(cause);
  }

  #receive(message: Message, onEvent: (event: unknown) => void): void {
    if ("event" in message) onEvent(message.event);
    else if ("answer" in message) this.#answer(message.answer, message.reply);
    else if ("part" in message) this.#pending.get(message.part)?.part?.({ done: false, value: message.data });
    else if ("end" in message) this.#finish(message.end)?.part?.({ done: true, value: undefined });
    else if ("fail" in message) this.#fail(message.fail, new Problem(message.problem, message.detail, message.extra));
  }

  #fail(id: number, problem: Problem): void {
    const pending = this.#finish(id);
    pending?.reject(problem);
    pending?.broken?.(problem);
  }

  #answer(id: number, reply: TransportReply): void {
    const pending = reply.isStream ? this.#pending.get(id) : this.#finish(id);
    pending?.resolve({ ...reply, parts: reply.isStream ? this.#parts(id, pending) : noParts() });
  }

  /** Requests one part at a time, so that a slow client delays only itself. */
  async *#parts(id: number, pending: Pending): AsyncGenerator<string | Uint8Array> {
    try {
      for (;;) {
        const next = new Promise<IteratorResult<string | Uint8Array, undefined>>((resolve, reject) => {
          pending.part = resolve;
          pending.broken = reject;
        });
        this.#transport.post({ more: id });
        const { done, value } = await next;
        if (done) return;
        yield value;
      }
    } finally {
      if (this.#pending.delete(id)) this.#transport.post({ cancel: id });
    }
  }

  #finish(id: number): Pending | undefined {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    return pending;
  }

  #end(): void {
    this.#isOver = true;
    for (const { reject, broken: failStream } of this.#pending.values()) {
      reject(stoppedProblem());
      failStream?.(stoppedProblem());
    }
    this.#pending.clear();
  }
}

const stoppedProblem = () => new Problem("internal", "whoever worked on this has stopped; ask again");

async function* noParts(): AsyncGenerator<never> {}

export interface WorkReply extends Omit<TransportReply, "isStream"> {
  readonly parts?: AsyncIterable<string | Uint8Array> | undefined;
}

/** The working side. Returns a function that sends events to the caller. */
export function serveCalls(
  transport: Transport,
  work: (name: string, input: unknown, signal: AbortSignal) => Promise<WorkReply>,
  problemOf: (cause: unknown) => Problem,
): (event: unknown) => void {
  const openCalls = new Map<number, { readonly abort: AbortController; more?: () => void }>();
  transport.onMessage((raw) => {
    const message = raw as Message;
    if ("cancel" in message) {
      openCalls.get(message.cancel)?.abort.abort();
      openCalls.get(message.cancel)?.more?.();
      openCalls.delete(message.cancel);
    } else if ("more" in message) openCalls.get(message.more)?.more?.();
    else if ("call" in message) void run(message.call, message.name, message.input);
  });
  return (event) => transport.post({ event });

  async function run(id: number, name: string, input: unknown): Promise<void> {
    const abort = new AbortController();
    const state: { readonly abort: AbortController; more?: () => void } = { abort };
    openCalls.set(id, state);
    try {
      const { parts, ...reply } = await work(name, input, abort.signal);
      let wanted = nextRequest(state);
      transport.post({ answer: id, reply: { ...reply, isStream: parts !== undefined } });
      if (!parts) return;
      await wanted;
      for await (const data of parts) {
        if (abort.signal.aborted) return;
        wanted = nextRequest(state);
        transport.post({ part: id, data });
        await wanted;
      }
      transport.post({ end: id });
    } catch (cause) {
      if (abort.signal.aborted) return;
      const { problem, message, more } = problemOf(cause);
      transport.post({ fail: id, problem, detail: message, extra: more });
    } finally {
      openCalls.delete(id);
    }
  }
}

const nextRequest = (state: { more?: () => void }) =>
  new Promise<void>((resolve) => {
    state.more = resolve;
  });
