import type { Clock } from "../clock.ts";
import type { Backlog, TurnReply, TurnRequest } from "./backlog.ts";

/**
 * A pause between any two requests, whoever their hosts are. It is a turn of its own that comes before the host's: a claim made within the
 * pause is refused unseen, so what waits here holds up nobody else, and the pace of each host stands. Several runs may share one.
 */
export class Spacing {
  readonly #pause: number;
  readonly #clock: Pick<Clock, "now">;
  #freeAt = 0;
  #lastHost: string | undefined;

  constructor(pause: number, clock: Pick<Clock, "now">) {
    this.#pause = pause;
    this.#clock = clock;
  }

  over(backlog: Backlog): Backlog {
    if (this.#pause === 0) return backlog;
    return {
      hosts: (limit, inMemory) => backlog.hosts(limit, inMemory),
      load: (wants) => backlog.load(wants),
      release: (host) => backlog.release(host),
      claim: async (requests) => {
        const replies: TurnReply[] = [];
        for (const request of requests) replies.push(await this.#claim(backlog, request));
        return replies;
      },
      giveBack: async (host) => {
        await backlog.giveBack(host);
        if (host === this.#lastHost) this.#freeAt = 0;
      },
    };
  }

  async #claim(backlog: Backlog, request: TurnRequest): Promise<TurnReply> {
    const now = this.#clock.now();
    if (now < this.#freeAt) return { granted: false, wait: this.#freeAt - now };
    // Taken before it is granted: another run may ask while the host's turn is looked up.
    this.#freeAt = now + this.#pause;
    this.#lastHost = request.host;
    const [reply] = await backlog.claim([request]);
    if (reply!.granted) this.#freeAt = this.#clock.now() + this.#pause;
    else this.#freeAt = 0;
    return reply!;
  }
}
