import {
  baseInForce,
  decodeBytes,
  type HiddenCounts,
  type HtmlElement,
  hiddenReport,
  type ParsedDocument,
  parseDocument,
  type Rendered,
  renderHtml,
  seenLetters,
  sniffType,
} from "../../analysis/parse/index.ts";
import type { DocumentType, Found } from "../../core/records.ts";
import { type ExtractSettings, metadataOfDocument, type ShownMetadata, shownMetadata } from "../enrich/page-metadata.ts";

export const pageForms = ["markdown", "html", "text", "links", "meta", "raw"] as const;
export type PageForm = (typeof pageForms)[number];

export interface PageLink {
  readonly url: string;
  readonly text: string;
  readonly rel: string;
  readonly kind: string;
}

/** A page in the requested forms. */
export interface PageForms {
  readonly markdown?: string;
  readonly html?: string;
  readonly text?: string;
  readonly links?: readonly PageLink[];
  readonly raw?: Uint8Array;
  /** Invisible text, if there is more than a little; it is left out of the text forms. */
  readonly hiddenText?: HiddenCounts;
}

interface Body {
  readonly url: string;
  readonly bytes: Uint8Array;
  readonly contentType: string | undefined;
}

/** The page's metadata, and further values meant for machines. */
export interface FormMetadata extends ShownMetadata {
  readonly type?: Found<string>;
  readonly robots?: Found<string>;
  readonly charset?: Found<string>;
}

export interface WantedForms extends ExtractSettings {
  readonly forms: readonly PageForm[];
  readonly part: "main" | "whole";
  /** Whether to include the other candidates of each field. */
  readonly showSources?: boolean | undefined;
  /** Main-text blocks that repeat on many pages of the site, if known. */
  readonly repeated?: ReadonlySet<number> | undefined;
}

export interface ReadForms {
  readonly metadata: FormMetadata;
  readonly forms: Omit<PageForms, "raw"> | undefined;
}

/** No forms if text forms are requested and the document has no text. */
export async function formsOf({ body, wanted }: { readonly body: Body; readonly wanted: WantedForms }): Promise<ReadForms> {
  const document = parseDocument({ ...body, as: "page", embeddedLinks: true, withTree: true });
  const metadata = visibleValues({ ...shownMetadata(metadataOfDocument(document, body.url, wanted), wanted), ...headOf(document) });
  const wants = (form: PageForm) => wanted.forms.includes(form);
  if (document.type === "binary" && (wants("markdown") || wants("html") || wants("text"))) return { metadata, forms: undefined };
  const written = await writtenForms(body, document, metadata.title?.value ?? undefined, wanted);
  const forms = {
    ...(wants("markdown") && { markdown: written.markdown() }),
    ...(wants("html") && { html: written.html() }),
    ...(wants("text") && { text: written.text() }),
    ...(wants("links") && { links: linksOf(document) }),
    ...((wants("markdown") || wants("html") || wants("text")) && hiddenIn(written)),
  };
  return { metadata, forms };
}

function hiddenIn(written: Rendered): Pick<PageForms, "hiddenText"> {
  const { kinds, isMuch } = written.hidden();
  return isMuch ? { hiddenText: kinds } : {};
}

export const charactersIn = (hidden: HiddenCounts): number => Object.values(hidden).reduce((sum, more) => sum + more, 0);

/** Number of invisible characters; undefined if there are few. */
function hiddenCharacters(written: Rendered): number | undefined {
  const { hiddenText } = hiddenIn(written);
  return hiddenText && charactersIn(hiddenText);
}

export type WrittenForm = "markdown" | "html" | "text";

export interface WantedMain {
  readonly body: Body;
  readonly form: WrittenForm;
  readonly title: string | undefined;
  readonly repeated: ReadonlySet<number> | undefined;
}

export interface MainPart {
  readonly type: DocumentType;
  readonly written: string;
  /** Invisible characters that were left out; undefined if there are few. */
  readonly hidden?: number | undefined;
}

/**
 * The main part as text; undefined for a binary document. HTML is parsed in advance only if it may contain `<base>`, which is needed
 * first.
 */
export async function mainPart({ body, form, title, repeated }: WantedMain): Promise<MainPart | undefined> {
  const { url, bytes, contentType } = body;
  const type = sniffType(bytes, contentType, url);
  if (type === "binary") return undefined;
  const decoded = type === "html" ? decodeBytes(bytes, contentType, "html") : undefined;
  const document =
    decoded && !/<base\s/i.test(decoded.text)
      ? { type, charset: decoded.charset, base: baseInForce(url, undefined, decoded.charset), links: [] }
      : parseDocument({ ...body, as: "page", embeddedLinks: false });
  const forms = await writtenForms(body, document, title, { part: "main", repeated });
  return { type, written: forms[form](), hidden: hiddenCharacters(forms) };
}

async function writtenForms(
  { url, bytes, contentType }: Body,
  document: Pick<ParsedDocument, "type" | "base" | "charset" | "links">,
  title: string | undefined,
  wanted: Pick<WantedForms, "part" | "repeated">,
): Promise<Rendered> {
  const { type, base, charset } = document;
  const { part, repeated } = wanted;
  if (type === "html") {
    const choose = part === "main" ? await mainTree(url, charset, repeated) : undefined;
    return renderHtml(decodeBytes(bytes, contentType, "html").text, {
      base,
      charset,
      title,
      part,
      ...(choose && { choose }),
    });
  }
  const source = () => withNewline(decodeBytes(bytes, contentType, type === "feed" || type === "sitemap" ? "xml" : "text").text);
  if (type !== "feed") return unchangedForms(source());
  const links = linksOf(document).map(({ url, text }) => ({ url, text: text || url }));
  const list = `${links.map(({ url, text }) => `<li><a href="${attribute(url)}">${attribute(text)}</a></li>`).join("\n")}`;
  const html = `<h1>${attribute(title ?? base)}</h1><ul>${list}</ul>`;
  return renderHtml(html, { base, charset, title: undefined, part: "whole" });
}

/** Below these values the page's landmarks are a better guess than the extractor's main text. */
const MIN_TEXT = 250;
const MIN_CONFIDENCE = 0.5;

async function mainTree(url: string, charset: string, repeated: WantedForms["repeated"]) {
  const { mainTextOf, viewTree, withoutRepeated } = await import("../../analysis/extract/index.ts");
  return (tree: HtmlElement): HtmlElement | undefined => {
    const main = mainTextOf(viewTree(tree, { url, charset, now: 0 }), "weighed");
    const { field } = main;
    const root = repeated ? withoutRepeated(main, (block) => repeated.has(block)).root : main.root;
    return (field.value ?? "").length < MIN_TEXT || field.confidence < MIN_CONFIDENCE ? undefined : root;
  };
}

/** Plain text and Markdown are returned unchanged in every form, without invisible characters. */
function unchangedForms(source: string): Rendered {
  let letters = 0;
  const text = seenLetters(source, (more) => {
    letters += more;
  });
  const form = () => text;
  return { markdown: form, text: form, html: form, hidden: () => hiddenReport(letters === 0 ? {} : { letters }, text.length) };
}

const visibleValues = (metadata: FormMetadata): FormMetadata =>
  Object.fromEntries(
    Object.entries(metadata).map(([name, field]) => [
      name,
      typeof field.value === "string" ? { ...field, value: seenLetters(field.value) } : field,
    ]),
  );

const withNewline = (text: string) => (text === "" || text.endsWith("\n") ? text : `${text}\n`);

const attribute = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

function linksOf({ links }: Pick<ParsedDocument, "links">): PageLink[] {
  return links.flatMap(({ url, text, rel, kind }) => (url !== undefined && /^https?:/.test(url) ? [{ url, text, rel, kind }] : []));
}

/** Values meant for machines. */
function headOf({ pageType, charset, robots }: ParsedDocument): Pick<FormMetadata, "type" | "robots" | "charset"> {
  return {
    ...(pageType && { type: pageType }),
    ...(robots.length > 0 && { robots: { value: robots.map(({ content }) => content).join(", "), source: "meta:robots" } }),
    ...(charset !== "" && { charset: { value: charset, source: "charset" } }),
  };
}
