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
  const directivesFound: Directives = { noindex: false, nofollow: false };
  const ownName = agent.toLowerCase();
  for (const header of input.headers) readHeader(header, ownName, now, directivesFound);
  for (const { name, content } of input.metas) {
    const agentName = name.trim().toLowerCase();
    if (agentName === "robots" || agentName === ownName) readDirectives(content.split(","), now, directivesFound);
  }
  return directivesFound;
}

// Directives with a value, whose names look like an agent's name before a colon.
const VALUED_DIRECTIVES = new Set(["unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"]);

/** `noindex, otherbot: nofollow, noarchive`: after a name, directives apply to that agent. */
function readHeader(header: string, ownName: string, now: number | undefined, directivesFound: Directives): void {
  let agentName = "";
  let directives: string[] = [];
  const flush = () => {
    if (agentName === "" || agentName === "robots" || agentName === ownName) readDirectives(directives, now, directivesFound);
    directives = [];
  };
  for (const part of header.split(",")) {
    const colon = part.indexOf(":");
    const name = colon < 0 ? "" : part.slice(0, colon).trim().toLowerCase();
    if (/^[a-z][\w.*-]*$/.test(name) && !VALUED_DIRECTIVES.has(name)) {
      flush();
      agentName = name;
      directives.push(part.slice(colon + 1));
    } else directives.push(part);
  }
  flush();
}

function readDirectives(parts: readonly string[], now: number | undefined, directivesFound: Directives): void {
  for (const [index, part] of parts.entries()) {
    const directive = part.trim().toLowerCase();
    if (directive === "noindex" || directive === "none") directivesFound.noindex = true;
    if (directive === "nofollow" || directive === "none") directivesFound.nofollow = true;
    if (directive.startsWith("unavailable_after:") && isPast(part.slice(part.indexOf(":") + 1), parts[index + 1], now))
      directivesFound.noindex = true;
  }
}

/** `Fri, 25 Jun 2027 …`: the date was split at its comma. */
function isPast(text: string, rest: string | undefined, now: number | undefined): boolean {
  if (now === undefined) return false;
  const unsplitDate = Date.parse(text);
  const at = Number.isNaN(unsplitDate) && rest !== undefined ? Date.parse(`${text},${rest}`) : unsplitDate;
  return at < now;
}
