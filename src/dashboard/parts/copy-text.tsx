import { useState } from "preact/hooks";

export function CopyText({ label, text }: { readonly label: string; readonly text: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 1500);
  };
  return (
    <figure class="copy">
      <figcaption>
        {label}
        <button type="button" class="quiet" onClick={copy}>
          {isCopied ? "Copied" : "Copy"}
        </button>
      </figcaption>
      <pre>{text}</pre>
    </figure>
  );
}
