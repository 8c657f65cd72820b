/** Filters stored in the URL; text is applied on blur or Enter. */
import { useEffect, useState } from "preact/hooks";
import { navigate, useLocation, withQuery } from "../router.tsx";
import { Fold } from "./fold.tsx";

interface Filter {
  readonly name: string;
  readonly label: string;
  /** Without choices: any text. */
  readonly choices?: readonly string[];
  readonly isNumber?: boolean;
  readonly placeholder?: string;
}

interface FiltersProps {
  readonly filters: readonly Filter[];
  /** Number of filters shown on narrow screens; the others can be expanded. */
  readonly first?: number;
}

export function Filters({ filters, first = filters.length }: FiltersProps) {
  const place = useLocation();
  const shown = (some: readonly Filter[]) =>
    some.map((filter) => (
      <FilterField
        key={filter.name}
        filter={filter}
        value={place.query.get(filter.name) ?? ""}
        onSet={(value) => navigate(withQuery(place, { [filter.name]: value }))}
      />
    ));
  const others = filters.slice(first);
  const set = others.filter(({ name }) => place.query.has(name)).length;
  return (
    <>
      {shown(filters.slice(0, first))}
      {others.length > 0 && (
        <Fold name="More filters" note={set > 0 ? `${set} set` : ""}>
          <div class="bar-part">{shown(others)}</div>
        </Fold>
      )}
    </>
  );
}

interface FilterFieldProps {
  readonly filter: Filter;
  readonly value: string;
  readonly onSet: (value: string) => void;
}

function FilterField({ filter, value, onSet }: FilterFieldProps) {
  const { label, choices } = filter;
  if (choices)
    return (
      <label>
        {label}
        <select value={value} onChange={(event) => onSet(event.currentTarget.value)}>
          <option value="">any</option>
          {choices.map((choice) => (
            <option key={choice}>{choice}</option>
          ))}
        </select>
      </label>
    );
  return <TextFilter filter={filter} value={value} onSet={onSet} />;
}

function TextFilter({ filter: { label, isNumber, placeholder }, value, onSet }: FilterFieldProps) {
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  const set = () => typed !== value && onSet(typed);
  return (
    <label>
      {label}
      <input
        type="search"
        inputMode={isNumber ? "decimal" : "text"}
        value={typed}
        placeholder={placeholder}
        onInput={(event) => setTyped(event.currentTarget.value)}
        onBlur={set}
        onKeyDown={(event) => event.key === "Enter" && set()}
      />
    </label>
  );
}
