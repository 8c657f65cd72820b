/** Rules for pictures that can never represent a page, each with its reason. */

export interface Size {
  readonly width?: number;
  readonly height?: number;
}

/** Pictures of one or two pixels are tracking pixels. */
const MAX_PIXEL_SIZE = 2;
const MAX_LENGTH = 2000;
const trackerWords = /(?:^|[/._?&=-])(?:pixels?|track(?:er|ing)?|beacons?|1x1|impression|counter|analytics|collect)(?:$|[/._?&=-])/i;
const trackerHosts =
  /^(?:pixel|track(?:er|ing)?|beacon|stats?|counter|analytics|sb|b)\.|(?:doubleclick|scorecardresearch|google-analytics|quantserve)\./i;
const photo = /\.(?:jpe?g|webp|avif)$/i;
const placeholders =
  /(?:^|[/._-])(?:spacer|blank|empty|transparent|clear|trans|placeholder|lazy(?:load)?(?:ing)?|loading|loader|preload(?:er)?|dummy|no-?image|noimg|missing|grey|gray)(?:[._-]?\d+(?:x\d+)?)?\.(?:gif|png|svg|jpe?g|webp)$/i;

/** Whether an address, as written, is a placeholder for a lazily loaded picture. */
export const isPlaceholder = (href: string): boolean => href === "" || /^data:/i.test(href) || placeholders.test(href.slice(-200));

/** The reason to reject a picture, or undefined. `url` is absolute, or as written if it could not be resolved. */
export function imageRejection(url: string, { width, height }: Size = {}): string | undefined {
  if (/^data:/i.test(url)) return "data: address";
  if (url.length > MAX_LENGTH) return `${url.length} > ${MAX_LENGTH} characters`;
  const address = parseUrl(url);
  if (address === undefined) return "no address";
  const { protocol, hostname, pathname, search } = address;
  if (protocol !== "http:" && protocol !== "https:") return "not http or https";
  if ((width !== undefined && width <= MAX_PIXEL_SIZE) || (height !== undefined && height <= MAX_PIXEL_SIZE)) return "tracking pixel";
  const isTracker = trackerHosts.test(hostname) || trackerWords.test(pathname) || (!photo.test(pathname) && trackerWords.test(search));
  if (isTracker && !isNamedPhoto(pathname)) return "tracking pixel";
  if (placeholders.test(pathname)) return "placeholder";
  return /\.(?:html?|php|aspx?|js|css|mp4|webm|mp3|pdf)$/i.test(pathname) && search === "" ? "no picture by its name" : undefined;
}

/** Parses directly: most URLs are valid, and `URL.canParse` first would parse them twice. */
function parseUrl(url: string): URL | undefined {
  try {
    return new URL(url);
  } catch {
    return undefined; // not a valid URL
  }
}

/** A photo whose file name has more words than the tracker word: google-pixel-9.jpg shows a telephone. */
function isNamedPhoto(pathname: string): boolean {
  const name = pathname.slice(pathname.lastIndexOf("/") + 1);
  return photo.test(name) && name.split(/[-_.]/).filter((word) => /^[a-z]{3,}$/i.test(word)).length > 2;
}

/** Sizes in addresses: 1200x630, w=1200, width/800. */
export function sizeInUrl(url: string): Size {
  const both = /(?:^|[^\d])(\d{2,4})[x×](\d{2,4})(?:[^\d]|$)/.exec(url);
  if (both) return { width: Number(both[1]), height: Number(both[2]) };
  const wide = /[?&/,_](?:w|width|resize_w|imwidth)[=_/:](\d{2,4})(?:[^\d]|$)/i.exec(url);
  const high = /[?&/,_](?:h|height|resize_h)[=_/:](\d{2,4})(?:[^\d]|$)/i.exec(url);
  return { ...(wide && { width: Number(wide[1]) }), ...(high && { height: Number(high[1]) }) };
}

/** Keys to recognise a picture in another size: its address differs, but often its file name or an id in the path is the same. */
export function pictureKeys(url: string): string[] {
  const path = url.replace(/[?#].*$/, "").toLowerCase();
  const name = path.slice(path.lastIndexOf("/") + 1);
  const stem = name.replace(/\.[a-z]{3,4}$/, "").replace(sizeAtEnd, "");
  const numbers =
    path
      .split("/")
      .slice(-3)
      .join("/")
      .match(/[0-9a-f]{8}-[0-9a-f-]{20,40}|[0-9a-f]{12,64}|\d{6,20}/g) ?? [];
  return [...(stem.length >= 6 ? [stem] : [path]), ...numbers.filter((number) => !/^(?:19|20)\d{6}$/.test(number))];
}
const sizeAtEnd = /[-_.]?(?:\d{2,4}x\d{2,4}|w?\d{3,4}w?|scaled|thumb(?:nail)?|large|small|medium|full|crop(?:ped)?)$/;
