import { useState } from "preact/hooks";
import { plural } from "../words.ts";

export type Weights = ReadonlyMap<string, number>;

interface PanelProps {
  readonly keywords: readonly { readonly word: string; readonly links: number }[];
  readonly weights: Weights;
  readonly isUnsaved: boolean;
  readonly onTry: (weights: Weights) => void;
  readonly onSave: () => void;
  readonly onDiscard: () => void;
}

/**
 * Keywords and weights. A slider re-ranks at once, because matches are stored and only the weights change; no request is sent to the web.
 */
export function KeywordPanel({ keywords, weights, isUnsaved, onTry, onSave, onDiscard }: PanelProps) {
  const [word, setWord] = useState("");
  const linkCounts = new Map(keywords.map(({ word: known, links }) => [known, links]));
  const add = (event: SubmitEvent) => {
    event.preventDefault();
    if (word.trim() !== "") onTry(new Map(weights).set(word.trim(), 1));
    setWord("");
  };
  return (
    <aside class="panel" aria-label="Keywords">
      <h2>Keywords</h2>
      {[...weights].map(([name, weight]) => (
        <label key={name} class="slider">
          <span>
            {name}{" "}
            <span class="faint small">{linkCounts.has(name) ? plural(linkCounts.get(name)!, "link") : "new: save to look for it"}</span>
          </span>
          <input
            type="range"
            min="0"
            max="1"
            step="0.05"
            value={weight}
            onInput={(event) => onTry(new Map(weights).set(name, Number(event.currentTarget.value)))}
          />
          <output>{weight.toFixed(2)}</output>
          <button
            type="button"
            class="quiet"
            aria-label={`Remove ${name}`}
            onClick={() => onTry(new Map([...weights].filter(([other]) => other !== name)))}
          >
            ×
          </button>
        </label>
      ))}
      <form onSubmit={add} data-needs="write">
        <input
          value={word}
          placeholder="another word"
          aria-label="Another keyword"
          onInput={(event) => setWord(event.currentTarget.value)}
        />{" "}
        <button type="submit">Add</button>
      </form>
      <p>
        <button type="button" class="main" data-needs="write" disabled={!isUnsaved} onClick={onSave}>
          Save
        </button>{" "}
        <button type="button" disabled={!isUnsaved} onClick={onDiscard}>
          Discard
        </button>
      </p>
      {isUnsaved && <p class="faint small">Tried on the links shown. Saving ranks all of them, for everybody.</p>}
    </aside>
  );
}
