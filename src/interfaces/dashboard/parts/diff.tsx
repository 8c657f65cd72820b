/** The changes of a page: its text block by block, its links, its fields. Inline or side by side. */
import type { ComponentChildren } from "preact";
import type { PageDiff } from "../records.ts";
import { navigate, useLocation, withQuery } from "../router.tsx";
import { type Line, wordDiff } from "../word-diff.ts";
import { plural } from "../words.ts";
import { Time } from "./time.tsx";

interface DiffProps {
  readonly diff: PageDiff;
  readonly pageId?: number;
  /** Content shown below each difference. */
  readonly below?: (place: PageDiff["text"][number]) => ComponentChildren;
}

/** The difference including noise. */
const fullDiffUrl = (pageId: number, { from, to }: PageDiff) =>
  `/api/v1/pages/${pageId}/diff?all=true&format=html&from=${from.version}&to=${to.version}`;

export function Diff({ diff, pageId, below }: DiffProps) {
  const place = useLocation();
  const isSide = place.query.get("view") === "side";
  return (
    <section aria-label="Difference" class="diff">
      <header class="table-tools">
        <span class="faint">
          version {diff.from.version} (<Time at={diff.from.at} />) → {diff.to.version} (<Time at={diff.to.at} />
          ), {plural(diff.words, "word")}
          {diff.masked > 0 && `, ${plural(diff.masked, "hidden passage")} `}
          {diff.masked > 0 && pageId !== undefined && <a href={fullDiffUrl(pageId, diff)}>show</a>}
        </span>
        <button
          type="button"
          class="quiet"
          aria-pressed={isSide}
          onClick={() => navigate(withQuery(place, { view: isSide ? "" : "side" }), "replace")}
        >
          Side by side
        </button>
      </header>
      {!diff.hasText && <p class="empty">The bodies are not stored or cannot be read, so their texts cannot be compared.</p>}
      {isSide ? <SideBySide diff={diff} below={below} /> : <Inline diff={diff} below={below} />}
      <Links name="Links added" links={diff.linksAdded} kind="added" />
      <Links name="Links removed" links={diff.linksRemoved} kind="removed" />
      {diff.fields.length > 0 && (
        <>
          <h3>Fields</h3>
          <table>
            <tbody>
              {diff.fields.map(({ field, before, now }) => (
                <tr key={field}>
                  <th scope="row">{field}</th>
                  <td>{before !== null && <del>{before}</del>}</td>
                  <td>{now !== null && <ins>{now}</ins>}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}
    </section>
  );
}

type DiffTextProps = Pick<DiffProps, "diff"> & { readonly below: DiffProps["below"] };

/** Key by content, so that a difference never gets the state of another one. */
const keyOf = ({ removed, added }: PageDiff["text"][number]) => [...removed, "", ...added].join("\n");

/** The text after a difference; null if it is also the text before the next one, which shows it. */
const afterOf = (text: PageDiff["text"], at: number): string | null => (text[at]!.after === text[at + 1]?.before ? null : text[at]!.after);

const Inline = ({ diff, below }: DiffTextProps) => (
  <div class="diff-text">
    {diff.text.map((place, at) => {
      const { removed, added } = wordDiff(place.removed, place.added);
      const after = afterOf(diff.text, at);
      return (
        <div key={keyOf(place)} class="diff-place">
          {place.before !== null && <p class="faint">{place.before}</p>}
          {removed.map((line, index) => (
            <p key={String(index)}>
              <del>
                <Words line={line} />
              </del>
            </p>
          ))}
          {added.map((line, index) => (
            <p key={String(index)}>
              <ins>
                <Words line={line} />
              </ins>
            </p>
          ))}
          {after !== null && <p class="faint">{after}</p>}
          {below?.(place)}
        </div>
      );
    })}
  </div>
);

const SideBySide = ({ diff, below }: DiffTextProps) => (
  <table class="diff-side">
    <thead>
      <tr>
        <th>Before</th>
        <th>After</th>
      </tr>
    </thead>
    <tbody>
      {diff.text.map((place, at) => {
        const { removed, added } = wordDiff(place.removed, place.added);
        const unchanged = { before: place.before, after: afterOf(diff.text, at) };
        return (
          <tr key={keyOf(place)}>
            <td>
              <DiffVersion lines={removed} {...unchanged} Mark="del" />
            </td>
            <td>
              <DiffVersion lines={added} {...unchanged} Mark="ins" />
              {below?.(place)}
            </td>
          </tr>
        );
      })}
    </tbody>
  </table>
);

interface DiffVersionProps extends Pick<PageDiff["text"][number], "before" | "after"> {
  readonly lines: readonly Line[];
  readonly Mark: "ins" | "del";
}

/** One version of a difference, with the unchanged text before and after it. */
const DiffVersion = ({ lines, before, after, Mark }: DiffVersionProps) => (
  <>
    {before !== null && <p class="faint">{before}</p>}
    {lines.map((line, at) => (
      <p key={String(at)}>
        <Mark>
          <Words line={line} />
        </Mark>
      </p>
    ))}
    {after !== null && <p class="faint">{after}</p>}
  </>
);

const Words = ({ line }: { readonly line: Line }) => (
  <>{line.map(({ text, isChanged }, at) => (isChanged ? <strong key={String(at)}>{text}</strong> : text))}</>
);

function Links({
  name,
  links,
  kind,
}: {
  readonly name: string;
  readonly links: PageDiff["linksAdded"];
  readonly kind: "added" | "removed";
}) {
  if (links.length === 0) return null;
  const Mark = kind === "added" ? "ins" : "del";
  return (
    <>
      <h3>
        {name} ({links.length})
      </h3>
      <ul>
        {links.map(({ url, text }) => (
          <li key={url + text}>
            <Mark>{text || url}</Mark> <span class="faint small">{url}</span>
          </li>
        ))}
      </ul>
    </>
  );
}
