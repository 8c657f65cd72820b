/** Renders Markdown as elements, without HTML parsing: page content is never interpreted as markup of the dashboard. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { plainText } from "../plain-text.ts";
import { count } from "../words.ts";
import { CopyText } from "./copy-text.tsx";

export function Markdown({ text, note }: { readonly text: string; readonly note: string }) {
  const [isSource, setSource] = useState(false);
  return (
    <>
      <div class="table-tools">
        <span class="faint">
          about {count(Math.ceil(text.length / 3.6))} tokens{note && `; ${note}`}
        </span>
        <button type="button" class="quiet" aria-pressed={isSource} onClick={() => setSource(!isSource)}>
          Source
        </button>
      </div>
      {isSource ? <CopyText label="Markdown" text={text} /> : <article class="reading">{blocksOf(text)}</article>}
    </>
  );
}

function blocksOf(text: string): ComponentChildren[] {
  const blocks: ComponentChildren[] = [];
  let fence: string[] | undefined;
  let lines: string[] = [];
  const end = () => {
    if (lines.length > 0) blocks.push(blockOf(lines, blocks.length));
    lines = [];
  };
  for (const line of text.split("\n")) {
    if (/^\s*(```|~~~)/.test(line)) {
      if (fence) blocks.push(<pre key={blocks.length}>{fence.join("\n")}</pre>);
      else end();
      fence = fence ? undefined : [];
    } else if (fence) fence.push(line);
    else if (line.trim() === "") end();
    else lines.push(line);
  }
  if (fence) blocks.push(<pre key={blocks.length}>{fence.join("\n")}</pre>);
  end();
  return blocks;
}

function blockOf(lines: readonly string[], key: number): ComponentChildren {
  const heading = /^(#{1,6}) +(.*)$/.exec(lines[0]!);
  if (heading && lines.length === 1) {
    const Level = `h${Math.min(6, heading[1]!.length + 1)}` as "h2";
    return <Level key={key}>{plainText(heading[2]!)}</Level>;
  }
  if (lines.every((line) => /^\s*([-*+]|\d+[.)]) /.test(line)))
    return (
      <ul key={key} class="marked">
        {lines.map((line, at) => {
          const [, indent = "", mark = "", text = ""] = /^(\s*)([-*+]|\d+[.)]) (.*)$/.exec(line)!;
          return (
            <li key={String(at)} style={{ marginLeft: `${indent.length / 2}em` }}>
              {/\d/.test(mark) ? mark : "•"} {plainText(text)}
            </li>
          );
        })}
      </ul>
    );
  if (lines[0]!.startsWith("|")) return <MarkdownTable key={key} lines={lines} />;
  if (lines[0]!.startsWith(">"))
    return <blockquote key={key}>{plainText(lines.map((line) => line.replace(/^> ?/, "")).join(" "))}</blockquote>;
  return <p key={key}>{plainText(lines.join(" "))}</p>;
}

/** Escaped bars are part of a cell. */
const cellsOf = (line: string) =>
  line
    .trim()
    .replace(/^\||\|$/g, "")
    .split(/(?<!\\)\|/)
    .map((cell) => plainText(cell.trim()));

function MarkdownTable({ lines }: { readonly lines: readonly string[] }) {
  const isRule = (line: string | undefined) => line !== undefined && /^[\s|:-]+$/.test(line);
  const hasHead = isRule(lines[1]);
  const rows = lines.filter((line) => !isRule(line)).map(cellsOf);
  return (
    <div class="scroll">
      <table class="plain-table">
        {hasHead && (
          <thead>
            <tr>
              {rows[0]!.map((cell, at) => (
                <th key={String(at)}>{cell}</th>
              ))}
            </tr>
          </thead>
        )}
        <tbody>
          {rows.slice(hasHead ? 1 : 0).map((cells, row) => (
            <tr key={String(row)}>
              {cells.map((cell, at) => (
                <td key={String(at)}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
