import { useRef, useState } from "preact/hooks";

export function CopyText({ label, text }: { readonly label: string; readonly text: string }) {
  const [said, setSaid] = useState("");
  const shown = useRef<HTMLPreElement>(null);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setSaid("Copied");
    } catch {
      // The clipboard API is not available on plain HTTP pages from another machine.
      getSelection()?.selectAllChildren(shown.current!);
      setSaid("Selected: press Ctrl+C");
    }
    setTimeout(() => setSaid(""), 3000);
  };
  return (
    <figure class="copy">
      <figcaption>
        {label}
        <button type="button" class="quiet" onClick={copy}>
          {said || "Copy"}
        </button>
      </figcaption>
      <pre ref={shown}>{text}</pre>
    </figure>
  );
}
