/** A field for each option described by the server; defaults are shown in grey. */
import { isByLine, type Option } from "../equivalent-calls.ts";

interface FormProps {
  readonly options: readonly Option[];
  /** Values as typed. */
  readonly typed: ReadonlyMap<string, string>;
  readonly onSay: (name: string, text: string) => void;
}

/** The most used options, shown before the groups. */
const FIRST = ["maxDepth", "maxPages", "keywords", "rateLimit", "exclude"];

export function OptionForm({ options, typed, onSay }: FormProps) {
  const first = options.filter(({ name, group }) => FIRST.includes(name) || group === "Options");
  const groups = new Map<string, Option[]>();
  for (const option of options) if (!first.includes(option)) groups.set(option.group, [...(groups.get(option.group) ?? []), option]);
  const fields = (some: readonly Option[]) =>
    some.map((option) => <Field key={option.name} option={option} text={typed.get(option.name) ?? ""} onSay={onSay} />);
  return (
    <>
      <div class="options">{fields(first)}</div>
      {[...groups].map(([group, some]) => {
        const set = some.filter(({ name }) => typed.has(name)).length;
        return (
          <details key={group}>
            <summary>
              {group} <span class="faint small">{set > 0 ? `${set} set` : `${some.length} options`}</span>
            </summary>
            <div class="options">{fields(some)}</div>
          </details>
        );
      })}
    </>
  );
}

const defaultText = (value: unknown): string => {
  if (Array.isArray(value)) return value.length > 4 ? `${value.slice(0, 3).join(", ")}, …` : value.join(", ");
  if (value === null || typeof value !== "object") return String(value ?? "");
  return Object.keys(value).length === 0 ? "" : JSON.stringify(value);
};

function hintOf(option: Option): string {
  const { help, kind, choices } = option;
  if (kind === "object") return `${help}; as JSON, what is left out is as it was`;
  if (isByLine(option)) return `${help}; one a line`;
  return kind === "list" && choices.length > 0 ? `${help}: ${choices.join(", ")}` : help;
}

interface FieldProps extends Pick<FormProps, "onSay"> {
  readonly option: Option;
  readonly text: string;
}

function Field({ option, text, onSay }: FieldProps) {
  const { name, kind, choices, default: defaultValue } = option;
  const handleInput = (event: { currentTarget: { value: string } }) => onSay(name, event.currentTarget.value);
  const choiceList = kind === "boolean" ? ["true", "false"] : kind === "list" ? [] : choices;
  const fieldProps = { id: `option-${name}`, "aria-describedby": `help-${name}` };
  return (
    <div class="option">
      <label for={fieldProps.id}>{name}</label>
      {choiceList.length > 0 ? (
        <select {...fieldProps} value={text} onChange={handleInput}>
          <option value="">{defaultText(defaultValue) || "not set"}</option>
          {choiceList.map((choice) => (
            <option key={choice}>{choice}</option>
          ))}
        </select>
      ) : kind === "object" || isByLine(option) ? (
        <textarea {...fieldProps} rows={2} value={text} placeholder={defaultText(defaultValue)} onInput={handleInput} />
      ) : (
        <input {...fieldProps} value={text} placeholder={defaultText(defaultValue)} onInput={handleInput} />
      )}
      <span id={`help-${name}`} class="faint small">
        {hintOf(option)}
        {option.origin && <em> (from {option.origin})</em>}
      </span>
    </div>
  );
}
