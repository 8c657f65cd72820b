/**
 * The table used by all screens: sorted through the URL, navigable with j and k, loads more rows while scrolling, and offers its rows as a
 * file or an API request.
 */
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { navigate, useLocation, withQuery } from "../router.tsx";
import type { LoadedList } from "../use-api.ts";
import { count, plural } from "../words.ts";
import { ApiButton } from "./api-button.tsx";
import { isTyping } from "./keyboard.tsx";
import { ErrorMessage } from "./notice.tsx";

export interface Column<T> {
  readonly name: string;
  /** Sort key of the API; without it the column is not sortable. */
  readonly sort?: string;
  /** Right-aligned. */
  readonly isNumber?: boolean;
  readonly cell: (row: T) => ComponentChildren;
}

interface TableProps<T> {
  readonly label: string;
  readonly columns: readonly Column<T>[];
  readonly list: LoadedList<T>;
  readonly keyOf: (row: T) => string | number;
  /** API route of the rows, for downloads and requests. */
  readonly path: string;
  readonly onOpen?: (row: T) => void;
  readonly empty: ComponentChildren;
  readonly sortedBy?: string;
  /** Only one table of a screen handles keys. */
  readonly hasKeys?: boolean;
}

export function Table<T>({ label, columns, list, keyOf, path, onOpen, empty, sortedBy = "", hasKeys = true }: TableProps<T>) {
  const place = useLocation();
  const sort = place.query.get("sort") ?? sortedBy;
  const [at, setAt] = useState(-1);
  const body = useRef<HTMLTableSectionElement>(null);
  useEffect(
    () => (hasKeys ? onRowKeys(list.rows.length, setAt, (row) => onOpen?.(list.rows[row]!)) : undefined),
    [list.rows, onOpen, hasKeys],
  );
  useEffect(() => body.current?.children[at]?.scrollIntoView({ block: "nearest" }), [at]);
  return (
    <section class="table" aria-label={label}>
      <div class="table-tools">
        <span class="faint">
          {list.isLoading
            ? "loading…"
            : list.error
              ? ""
              : list.hasMore
                ? `${count(list.rows.length)}+ rows`
                : plural(list.rows.length, "row")}
        </span>
        <a class="button quiet" href={fileUrl(path, "csv")} download="">
          CSV
        </a>
        <a class="button quiet" href={fileUrl(path, "jsonl")} download="">
          JSONL
        </a>
        <ApiButton path={path} />
      </div>
      <ErrorMessage error={list.error} />
      {list.rows.length === 0 && !list.isLoading && !list.error ? (
        empty
      ) : (
        <div class="scroll">
          <table>
            <thead>
              <tr>
                {columns.map((column) => (
                  <HeaderCell key={column.name} column={column} sort={sort} onSort={(next) => navigate(withQuery(place, { sort: next }))} />
                ))}
              </tr>
            </thead>
            <tbody ref={body}>
              {list.rows.map((row, index) => (
                <tr
                  key={keyOf(row)}
                  class={index === at ? "at" : ""}
                  aria-selected={index === at}
                  onClick={(event) => (event.target as Element).closest("a, button, input, dialog") || onOpen?.(row)}
                >
                  {columns.map(({ name, isNumber, cell }) => (
                    <td key={name} class={isNumber ? "number" : ""} data-label={name}>
                      {cell(row)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {list.hasMore && (
        <button type="button" class="more" onClick={list.more}>
          More
        </button>
      )}
    </section>
  );
}

function HeaderCell<T>({
  column,
  sort,
  onSort,
}: {
  readonly column: Column<T>;
  readonly sort: string;
  readonly onSort: (sort: string) => void;
}) {
  const isSorted = column.sort !== undefined && sort.replace(/^-/, "") === column.sort;
  const isDescending = isSorted && sort.startsWith("-");
  if (column.sort === undefined) return <th class={column.isNumber ? "number" : ""}>{column.name}</th>;
  return (
    <th class={column.isNumber ? "number" : ""} aria-sort={isSorted ? (isDescending ? "descending" : "ascending") : "none"}>
      <button type="button" class="sort" onClick={() => onSort(isSorted && isDescending ? column.sort! : `-${column.sort}`)}>
        {column.name}
        <span aria-hidden="true">{isSorted ? (isDescending ? " ↓" : " ↑") : ""}</span>
      </button>
    </th>
  );
}

/** URL of a file with all rows, not only those loaded. */
function fileUrl(path: string, format: string): string {
  const [place, query] = path.split("?", 2);
  const wanted = new URLSearchParams(query);
  wanted.delete("limit");
  wanted.set("format", format);
  return `/api/v1${place}?${wanted}`;
}

/** j and k move, Enter opens; disabled while the user types. */
function onRowKeys(rows: number, setAt: (change: (at: number) => number) => void, open: (at: number) => void): () => void {
  let now = -1;
  const listen = (event: KeyboardEvent) => {
    if (isTyping(event) || event.metaKey || event.ctrlKey || event.altKey) return;
    if (event.key === "j" || event.key === "k") {
      now = Math.min(rows - 1, Math.max(0, now + (event.key === "j" ? 1 : -1)));
      setAt(() => now);
    } else if (event.key === "Enter" && now >= 0 && !(event.target as Element).closest("a, button")) open(now);
  };
  addEventListener("keydown", listen);
  return () => removeEventListener("keydown", listen);
}
