/** Filters that live in the URL: what is typed is applied when one leaves the field or presses Enter. */
import { navigate, usePlace, withQuery } from "../router.tsx";

interface Filter {
  readonly name: string;
  readonly label: string;
  /** Without choices, any text. */
  readonly choices?: readonly string[];
  readonly isNumber?: boolean;
  readonly placeholder?: string;
}

export function Filters({ filters }: { readonly filters: readonly Filter[] }) {
  const place = usePlace();
  return (
    <>
      {filters.map((filter) => (
        <One
          key={filter.name}
          filter={filter}
          value={place.query.get(filter.name) ?? ""}
          onSet={(value) => navigate(withQuery(place, { [filter.name]: value }))}
        />
      ))}
    </>
  );
}

interface OneProps {
  readonly filter: Filter;
  readonly value: string;
  readonly onSet: (value: string) => void;
}

function One({ filter: { label, choices, isNumber, placeholder }, value, onSet }: OneProps) {
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
  // Not onChange, which preact/compat makes into an event of every key.
  const set = ({ currentTarget: { value: typed } }: { currentTarget: HTMLInputElement }) => typed !== value && onSet(typed);
  return (
    <label>
      {label}
      <input
        type="search"
        inputMode={isNumber ? "decimal" : "text"}
        key={value}
        defaultValue={value}
        placeholder={placeholder}
        onBlur={set}
        onKeyDown={(event) => event.key === "Enter" && set(event)}
      />
    </label>
  );
}
