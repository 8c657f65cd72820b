import { useRef, useState } from "preact/hooks";

export function CopyText({ label, text }: { readonly label: string; readonly text: string }) {
  const [copyState, setCopyState] = useState("");
  const shown = useRef<HTMLPreElement>(null);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopyState("Copied");
    } catch {
      // The clipboard API is not available on plain HTTP pages from another machine.
      getSelection()?.selectAllChildren(shown.current!);
      setCopyState("Selected: press Ctrl+C");
    }
    setTimeout(() => setCopyState(""), 3000);
  };
  return (
    <figure class="copy">
      <figcaption>
        {label}
        <button type="button" class="quiet" onClick={copy}>
          {copyState || "Copy"}
        </button>
      </figcaption>
      <pre ref={shown}>{text}</pre>
    </figure>
  );
}
