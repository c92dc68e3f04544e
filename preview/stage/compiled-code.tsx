import { useState } from "react";
import { CodeView } from "../code/later-code-view.js";
import { useTemplate } from "../state/data.js";
import { Segmented } from "../ui/segmented.js";

const PARTS = [
  { value: "html", label: "HTML" },
  { value: "text", label: "Text" },
] as const;

/** A compiled body as sync uploads it, with its Mustache tags. */
export function CompiledCode() {
  const { detail } = useTemplate();
  const [part, setPart] = useState<"html" | "text">("html");
  if (!detail?.compiled) return null;
  return (
    <CodeView
      text={detail.compiled[part]}
      language={part === "html" ? "mustache" : "text"}
      label={part === "html" ? "Mustache HTML" : "Mustache text"}
      name={`${detail.name}.mustache.${part === "html" ? "html" : "txt"}`}
    >
      <Segmented label="Body" value={part} options={PARTS} onChange={(chosen) => setPart(chosen)} />
    </CodeView>
  );
}
