import type { ComponentChildren } from "preact";

interface FactsProps {
  readonly facts: readonly (readonly [name: string, value: ComponentChildren])[];
  /** Narrow columns, for numbers. */
  readonly isNarrow?: boolean;
}

export function Facts({ facts, isNarrow = false }: FactsProps) {
  return (
    <dl class={isNarrow ? "facts narrow" : "facts"}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
