/** Whether a string is the URL of a page, and not something else that begins with a slash. */

const MAX_LENGTH = 500;

/** Letters of any script. Parentheses only in pairs, as in `/Mercury_(planet)`, because regular expressions contain them too. */
const path =
  /^\/(?:[\p{L}\p{N}~-]|%[0-9a-f]{2})(?:[\p{L}\p{M}\p{N}_.~/!',:@-]|%[0-9a-f]{2}|\([\p{L}\p{N}_ .~-]+\))*(?:\?[\p{L}\p{M}\p{N}_.~%&=;,:@/+-]*)?(?:#[\p{L}\p{M}\p{N}_.~%/!=-]*)?$/iu;
const absolute = /^https?:\/\/[a-z0-9][\w.-]*(?::\d+)?(?:[/?#](?:[^\s<>"'{}|\\^`*$[\]])*)?$/i;
const assetEnding =
  /\.(?:css|m?js|map|json|xml|xsl|png|jpe?g|gif|svg|webp|avif|ico|bmp|tiff?|woff2?|ttf|otf|eot|mp[34]|m4[av]|webm|og[gv]|wav|avi|mov|srt|vtt|zip|gz|wasm|webmanifest)(?:[?#]|$)/i;
/** Endpoints for programs, in any folder. */
const service =
  /\/(?:api|graphql|gql|jsonapi|wp-json|rest|rpc|ajax|oembed|odata|webhooks?|autocomplete|xmlrpc\.php|admin-ajax\.php|cgi-bin)(?:[./?]|$)/i;
/** Folders of Drupal, WordPress and build tools with assets; they may contain documents too. */
const backstage =
  /^(?:https?:\/\/[^/]*)?\/(?:core|modules|themes|sites\/(?:default|all)|wp-(?:content|includes|admin)|static|assets|dist|session\/token|contextual|quickedit|toolbar)(?:[/?]|$)/i;
const document = /\.(?:pdf|docx?|xlsx?|pptx?|od[tsp]|rtf|epub|csv)(?:[?#]|$)/i;
const serviceHost =
  /^https?:\/\/(?:(?:api|cdn|static|assets|endpoint|gateway|graphql|ws|img|images|fonts|metrics|stats|tracking|sentry)[\w-]*\.|[^/]*\.(?:googleapis|gstatic|googletagmanager|google-analytics|doubleclick|cloudfront|jsdelivr|unpkg|sentry)\.)/i;
const vocabulary = /^https?:\/\/(?:[\w-]+\.)*(?:schema\.org|w3\.org|purl\.org|ogp\.me|xmlns\.com|json-schema\.org)(?:[/#]|$)/i;
/** `/user/:id`, `/%7Bid%7D`, `/_next/data`, `/__name__`: patterns, and paths used only by the site's own scripts. */
const internal = /\/:[a-z]|%7[bd]|%24|%2a|\/_|\/\.\.?(?:\/|$)/i;

export function looksLikePage(value: string): boolean {
  const text = value.trim();
  if (text.length < 2 || text.length > MAX_LENGTH || !hasShape(text)) return false;
  if (assetEnding.test(text) || service.test(text) || internal.test(text)) return false;
  return !backstage.test(text) || document.test(text);
}

/** Most strings are plain words and are rejected by their first character. */
function hasShape(text: string): boolean {
  if (text.startsWith("//")) return /^\/\/[^/]*[.:]/.test(text) && hasShape(`https:${text}`);
  if (text[0] === "/") return path.test(text) && !text.includes("//");
  return (text[0] === "h" || text[0] === "H") && absolute.test(text) && !serviceHost.test(text) && !vocabulary.test(text);
}

/** Digits alone may be a date, and `/a/i` a regular expression: accepted only with a label. */
export const isDoubtful = (value: string): boolean => /^\/(?:[\d/.-]*|.*\/[gimsuy]{1,3})$/.test(value.trim());
