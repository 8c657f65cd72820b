/** Directives of a page in headers and meta elements. They are combined: one `noindex` anywhere counts. */
interface Directives {
  noindex: boolean;
  nofollow: boolean;
}

interface Input {
  /** X-Robots-Tag values. */
  readonly headers: readonly string[];
  readonly metas: readonly { name: string; content: string }[];
}

export function indexing(input: Input, agent: string, now?: number): Directives {
  const said: Directives = { noindex: false, nofollow: false };
  const us = agent.toLowerCase();
  for (const header of input.headers) readHeader(header, us, now, said);
  for (const { name, content } of input.metas) {
    const whom = name.trim().toLowerCase();
    if (whom === "robots" || whom === us) readDirectives(content.split(","), now, said);
  }
  return said;
}

// Directives with a value, whose names look like an agent's name before a colon.
const VALUED = new Set(["unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"]);

/** `noindex, otherbot: nofollow, noarchive`: after a name, directives apply to that agent. */
function readHeader(header: string, us: string, now: number | undefined, said: Directives): void {
  let whom = "";
  let directives: string[] = [];
  const settle = () => {
    if (whom === "" || whom === "robots" || whom === us) readDirectives(directives, now, said);
    directives = [];
  };
  for (const part of header.split(",")) {
    const colon = part.indexOf(":");
    const name = colon < 0 ? "" : part.slice(0, colon).trim().toLowerCase();
    if (/^[a-z][\w.*-]*$/.test(name) && !VALUED.has(name)) {
      settle();
      whom = name;
      directives.push(part.slice(colon + 1));
    } else directives.push(part);
  }
  settle();
}

function readDirectives(parts: readonly string[], now: number | undefined, said: Directives): void {
  for (const [index, part] of parts.entries()) {
    const directive = part.trim().toLowerCase();
    if (directive === "noindex" || directive === "none") said.noindex = true;
    if (directive === "nofollow" || directive === "none") said.nofollow = true;
    if (directive.startsWith("unavailable_after:") && isPast(part.slice(part.indexOf(":") + 1), parts[index + 1], now)) said.noindex = true;
  }
}

/** `Fri, 25 Jun 2027 …`: the date was split at its comma. */
function isPast(text: string, rest: string | undefined, now: number | undefined): boolean {
  if (now === undefined) return false;
  const alone = Date.parse(text);
  const at = Number.isNaN(alone) && rest !== undefined ? Date.parse(`${text},${rest}`) : alone;
  return at < now;
}
