import { type Command, Option } from "commander";
import { typedUrl } from "../../../core/typed-url.ts";
import { nearest, parseDuration, SetupError } from "../../../engine/config/index.ts";
import { count, printable } from "../../../engine/telemetry/index.ts";
import { type FetchedPage, fetchOnePage } from "../../../features/fetch-page/fetch-page.ts";
import { charactersIn, type PageForm, pageForms } from "../../../features/fetch-page/page-forms.ts";
import { openAnswer } from "../answer.ts";
import { addConfigFlags, newCommand } from "../command.ts";
import { openTransient } from "../crawl/open-transient.ts";
import { seedErrorOf } from "../errors.ts";
import type { Globals } from "../globals.ts";
import { outputPath } from "../output.ts";
import { jsonDocument, paragraph, type Shell, write } from "../shell.ts";
import { openWaitMessages } from "../waits.ts";
import { metadataLines } from "./metadata-lines.ts";

interface FetchFlags extends Globals, Readonly<Record<string, unknown>> {
  readonly format?: string;
  readonly main?: boolean;
  readonly whole?: boolean;
  readonly maxAge?: string;
  readonly headers?: boolean;
  readonly showSources?: boolean;
}

export function build(shell: Shell, exit: (code: number) => void): Command {
  const command = newCommand(
    "fetch",
    "One page as Markdown on stdout. robots.txt, pace and address guard hold as in a crawl; nothing is kept.",
  )
    .argument("<url>", "the page", typedUrl)
    .option(
      "-f, --format <list>",
      `${pageForms.join(", ")} or json; one is written as it is, several as one JSON document (default: markdown)`,
    )
    .option("--main", "only the main part, as it is told from what stands around it: without nav, header, footer and aside (default)")
    .addOption(new Option("--whole", "all of the page").conflicts("main"))
    .option("--max-age <duration>", "take the copy in the data file if it is no older: 10m, 2h, 7d")
    .option("--show-sources", "with meta: also what else was offered for each field, and why it lost")
    .option("--headers", "status and headers of the answer: on stderr, or in the JSON document");
  addConfigFlags(command, "one URL").addHelpText(
    "after",
    `
Examples:
  nuthatch https://example.org
  nuthatch fetch https://example.org -f links --render auto
  nuthatch fetch https://example.org -f meta --show-sources
  nuthatch fetch https://example.org -f markdown,meta,links -o page.json
  nuthatch fetch https://example.org/report.pdf -f raw -o report.pdf`,
  );
  return command.action(async (url: string, flags: FetchFlags) => {
    const forms = parseForms(flags.format);
    const maxAge = flags.maxAge === undefined ? undefined : parseDuration("--max-age", flags.maxAge, "--max-age 10m, 2h or 7d");
    const isDocument = flags.json === true || forms.isJson || /\.json$/i.test(outputPath(flags) ?? "");
    const answer = openAnswer(shell, { ...flags, json: isDocument }, isDocument ? "document" : "raw");
    const seed = { url, namedBy: "person" } as const;
    const { config, app } = await openTransient([seed], flags, shell);
    const waits = openWaitMessages(shell, flags);
    try {
      const part = flags.whole ? "whole" : "main";
      const page = await fetchOnePage(app, {
        ...seed,
        config,
        forms: forms.wanted,
        part,
        maxAge,
        showSources: flags.showSources,
        onStart: waits.onStart,
      });
      if (flags.headers && !isDocument) await write(shell.stderr, paragraph(headerLines(page)));
      if (!page.ok) return exit(await printError(page, shell, isDocument));
      if (page.hiddenText && !isDocument && !flags.quiet) await write(shell.stderr, paragraph(hiddenLines(page.hiddenText)));
      const isOnTerminal = shell.stdout.isTTY && outputPath(flags) === undefined;
      const text = isDocument ? "" : textOf(page, forms.wanted[0]!, isOnTerminal);
      await answer({ document: documentOf(page, flags.headers === true), text });
    } finally {
      waits.stop();
      await app.close();
    }
  });
}

function parseForms(text = "markdown"): { wanted: readonly PageForm[]; isJson: boolean } {
  const words = [...new Set(text.split(",").map((word) => word.trim()))];
  const known = [...pageForms, "json"];
  const invalid = words.find((word) => !known.includes(word));
  if (invalid !== undefined) {
    const near = nearest(invalid, known);
    throw new SetupError(
      `there is no format ${invalid || "of that name"}`,
      near ? `did you mean -f ${near}?` : `-f one or more of ${known.join(",")}`,
    );
  }
  const wanted = words.filter((word): word is PageForm => word !== "json");
  const isJson = words.length > 1 || wanted.length === 0;
  return { wanted: wanted.length > 0 ? wanted : ["markdown", "links", "meta"], isJson };
}

/** Text for a terminal is escaped; a pipe gets the page as it is, with `-f raw` byte for byte. */
function textOf(page: FetchedPage, form: PageForm, isOnTerminal: boolean): string | Uint8Array {
  if (form === "raw") return isOnTerminal ? safeForTerminal(Buffer.from(page.raw!).toString()) : page.raw!;
  if (form === "links") return (page.links ?? []).map(({ url }) => `${url}\n`).join("");
  if (form === "meta") return paragraph(metaLines(page));
  const text = page[form] ?? "";
  return isOnTerminal ? safeForTerminal(text) : text;
}

const safeForTerminal = (text: string): string =>
  text
    .split("\n")
    .map((line) =>
      line
        .replace(/\r$/, "")
        .split("\t")
        .map((cell) => printable(cell, Number.POSITIVE_INFINITY))
        .join("\t"),
    )
    .join("\n");

function hiddenLines(hidden: NonNullable<FetchedPage["hiddenText"]>): string[] {
  const how = Object.entries(hidden).map(([kind, characters]) => `${kind} ${count(characters)}`);
  return [`note  ${count(charactersIn(hidden))} characters of hidden text left out (${how.join(", ")}); -f raw has them`];
}

const metaLines = ({ finalUrl, status, contentType, metadata }: FetchedPage): string[] => [
  `url: ${finalUrl}`,
  `status: ${status}`,
  `contentType: ${contentType ?? ""}`,
  ...metadataLines(metadata),
];

const headerLines = ({ finalUrl, status, headers, isStored }: FetchedPage): string[] => [
  isStored ? `${finalUrl} is a stored copy; its headers were not kept` : `${status ?? "no answer"} ${finalUrl}`,
  ...headers.map(([name, value]) => `  ${name}: ${value}`),
];

function documentOf({ headers, raw, ...page }: FetchedPage, withHeaders: boolean): object {
  const shown = withHeaders ? { headers: headers.map(([name, value]) => ({ name, value })) } : {};
  return { ...page, ...shown, ...(raw && { raw: Buffer.from(raw).toString("base64") }) };
}

/** Prints what failed, why, and what to do; returns the exit code. */
async function printError(page: FetchedPage, shell: Shell, isDocument: boolean): Promise<number> {
  const isMissing = page.status === 404 || page.status === 410;
  const hint = page.reason === "type" ? "-f raw writes it as it is" : isMissing ? "check the address: there is no such page" : undefined;
  const { code, lines, error } = seedErrorOf({ url: page.url, reason: page.reason, rule: page.rule }, hint);
  if (isDocument) await write(shell.stdout, jsonDocument({ url: page.url, status: page.status, error }));
  await write(shell.stderr, lines.map((line) => `${line}\n`).join(""));
  return code;
}
