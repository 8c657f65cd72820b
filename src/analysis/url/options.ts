import { z } from "zod";
import { orNone, textAs } from "../../core/units.ts";
import { givenHost } from "./given-host.ts";

const list = (...words: string[]) => words.flatMap((line) => line.split(" "));

/** Click counters of newsletters, advertisers and social networks, and session ids: these parameters never select another page. */
const TRACKING = list(
  "utm_* gclid gclsrc dclid gbraid wbraid gad_source gad_campaignid srsltid fbclid fb_action_ids fb_action_types fb_source msclkid",
  "twclid ttclid li_fat_id epik igshid igsh yclid ysclid _openstat mc_cid mc_eid mkt_tok _hs* hsctatracking vero_* oly_* _ga _gl _gac",
  "_ke _kx ref_src ref_url s_cid wickedid rb_clickid cmpid icid mtm_* pk_* piwik_* matomo_* at_medium at_campaign at_custom* trk_*",
  "phpsessid jsessionid aspsessionid* oscsid xtcsid zenid cfid cftoken ck_subscriber_id _branch_match_id __twitter_impression spm wt_mc wt_zmc",
);

/** Files without links or text that we read. Documents such as PDF are not listed: their content type decides whether they are read. */
const ASSETS = list(
  "jpg jpeg jpe jfif png gif webp avif svg ico bmp tif tiff heic heif psd eps mp3 m4a aac ogg oga opus flac wav wma mid midi",
  "mp4 m4v mov avi mkv webm wmv flv mpg mpeg ogv 3gp m3u8 mpd vtt srt zip gz tgz bz2 xz zst 7z rar tar jar war iso dmg exe msi apk",
  "deb rpm bin dll woff woff2 ttf otf eot css js mjs wasm swf",
);

const host = textAs(givenHost, "a host such as example.org or example.org:8080");

/** Accepts also `.pdf` and `*.pdf`. */
const extension = textAs(
  (text) => /^(?:\*?\.)?([a-z0-9_+~-]{1,20})$/.exec(text.trim().toLowerCase())?.[1],
  "what follows the last dot of a path, such as pdf",
);

/** In URLs non-ASCII letters are escaped. */
const param = textAs((text) => {
  const [name] = /^(?!.*:\/\/)[^\s?&=#*"<>\\]{0,200}\*?$/.exec(text.trim()) ?? [];
  return name === undefined || name === "" ? undefined : name.replace(/[^\0-\x7f]+/gu, encodeURIComponent);
}, "the name of a parameter such as sid, or its beginning such as utm_*");

export const UrlOptions = z.object({
  scope: z.enum(["page", "prefix", "host", "domain", "any"]).default("host").describe("How far from the seeds to go"),
  include: z
    .array(z.string())
    .default([])
    .describe("Visit only URLs that match one of these globs or /regexes/")
    .meta({ examples: ["/blog/**"] }),
  exclude: z
    .array(z.string())
    .default([])
    .describe("Never visit URLs that match one of these globs or /regexes/; beats include")
    .meta({ examples: ["/calendar/**"] }),
  denyHosts: z
    .array(host)
    .default([])
    .describe("Never visit these hosts and their subdomains")
    .meta({ examples: ["ads.example.org"] }),
  skipExtensions: z
    .array(extension)
    .default(ASSETS)
    .describe("Skip URLs whose path ends in one of these")
    .meta({ examples: ["zip,mp4"] }),
  maxDepth: orNone(z.number().int().min(0)).default(10).describe("Clicks from a seed"),
  maxComponents: z.number().int().min(0).default(10).describe("Most path components a URL may have"),
  maxLength: z.number().int().min(1).default(2048).describe("Most characters a URL may have"),
  maxParams: orNone(z.number().int().min(0))
    .default(Number.POSITIVE_INFINITY)
    .describe("Keep at most this many query parameters and cut the rest"),
  stripParams: z
    .array(param)
    .max(1000)
    .default(TRACKING)
    .describe("Parameters that do not tell two pages apart, such as utm_*")
    .meta({ examples: ["sid,utm_*"] }),
  sortParams: z.boolean().default(false).describe("Take URLs that differ only in the order of their parameters for one page"),
  trapGuard: z.enum(["on", "off"]).default("on").describe("Leave calendars, endless lists and growing paths once they bring nothing new"),
});
export type UrlOptions = z.infer<typeof UrlOptions>;
