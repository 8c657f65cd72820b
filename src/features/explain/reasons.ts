import type { KnownReason, Reason } from "../../core/records.ts";

/** One sentence per reason: what it means for a person, and what would change it. Used by the command line and the docs. */
export const reasons: Record<KnownReason, string> = {
  ok: "It was visited.",
  "scope.host": "It lies outside the scope of the crawl.",
  "scope.exclude": "A rule excludes it.",
  "scope.include": "None of the include rules matches it.",
  depth: "It is more clicks away from the seeds than --max-depth allows.",
  components: "Its path has more components than --max-components allows.",
  length: "It is longer than --max-length allows.",
  "params-cut": "It has more query parameters than --max-params allows, so it was taken for the URL without the rest.",
  "duplicate.url": "It is another spelling of a URL already known.",
  "duplicate.redirect": "It redirects to a URL that was already known.",
  "duplicate.canonical": "It was visited, but says that another URL is its proper address.",
  "duplicate.content":
    "It has the same text and links as another page, so its links were not followed again; or it is one of many such, and was not visited.",
  "robots.disallow": "The site's robots.txt does not allow it.",
  "robots.unreachable":
    "The site's robots.txt could not be read, which by RFC 9309 means do not crawl. Try later, or use --robots-unreachable allow if you have permission.",
  "meta.nofollow": "Only pages that asked for their links not to be followed mention it.",
  scheme: "Only http and https can be crawled.",
  type: "Its type holds no links and no text for us.",
  "account-action":
    "Its address says that it signs out, unsubscribes or deletes, and the run has credentials. An --include that names it, or giving it as a seed, opens it.",
  size: "It is larger than --max-body allows. Try a larger one, such as --max-body 50MB.",
  "trap.repeat": "Its path repeats itself, and pages of its kind brought nothing new.",
  "trap.calendar": "It belongs to a calendar whose pages brought nothing new.",
  "trap.pagination": "It belongs to a list whose further pages brought nothing new.",
  "trap.session": "It differs from others only in a session id, and pages of its kind brought nothing new.",
  "trap.growing": "It belongs to a family of URLs that grows without end and brings nothing new.",
  "score.below": "Its score is below the least asked for.",
  "max-links": "Enough better links were found.",
  "limit.links": "A page named more links than are followed of one page.",
  "limit.sitemaps": "Its site names more sitemaps, or deeper ones, than are read.",
  "limit.pages": "The run stopped at --max-pages before its turn.",
  "limit.time": "The run stopped at --max-time before its turn.",
  "limit.bytes": "The run stopped at --max-bytes before its turn.",
  "private-network": "It is at a private address, which stays closed unless opened with --allow-private.",
  "host.blocked":
    "Its host is left alone for now. Try the same command later, or nuthatch hosts, which lists who has to wait, why, and until when.",
  "host.crawl-delay": "Its host asks for a longer pause between requests than --max-crawl-delay allows.",
  "http.4xx": "The server answered that it is not there, or not for us.",
  "http.5xx": "The server failed.",
  "http.429": "The server kept asking us to come back later.",
  timeout: "No full answer came within --timeout.",
  dns: "Its host name could not be found.",
  tls: "A secure connection could not be made.",
  connection: "The connection failed.",
  proxy: "The proxy did not let the request through. Try another --proxy, or check its address, user and password.",
  encoding: "The body could not be decompressed.",
  protocol: "The answer broke the rules of HTTP.",
  "redirect.loop": "It redirects in circles, or too often.",
  parse:
    "The page could not be read: it took too much time or memory, or broke its reader. Try nuthatch fetch -f raw, which writes it as it came.",
  "render.timeout": "It kept its browser busy without end, so that it could not be read there. --render never reads it as it was sent.",
  "render.crash": "Its browser died of it, or of how much memory it took. --render never reads it as it was sent.",
  stuck: "Something of ours that it waited for never answered, so it was given up. Please report it: it is a fault of Nuthatch.",
  crash: "The crawler died ten times while this page was in flight, so it is left alone.",
};

export const reasonSentence = (reason: Reason): string =>
  isKnown(reason) ? reasons[reason] : `The plugin ${reason.slice("plugin:".length)} skips it.`;

const isKnown = (reason: Reason): reason is KnownReason => Object.hasOwn(reasons, reason);
