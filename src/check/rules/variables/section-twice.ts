import { onceEach } from "../../once-each.js";
import type { Finding, Rule } from "../../rule.js";
import { type Block, htmlBlocks, textBlocks, wordCount } from "../../variables/blocks.js";

export const sectionTwice: Rule = {
  id: "section-twice",
  summary: "Two sections that ask the same stand side by side, as the two of an either-or do.",
  severity: "warning",
  checkTemplate(checked) {
    const { html_body: html, text_body: text } = checked.compiled;
    // Two conditions of a component are often alike.
    const inHtml = /\.[jt]sx$/.test(checked.template.body.file) ? [] : twins(html, htmlBlocks(checked));
    return onceEach([...inHtml, ...twins(text, textBlocks(checked))]);
  },
};

function twins(body: string, blocks: readonly Block[]): Finding[] {
  return blocks.flatMap((block, index): Finding[] => {
    const next = blocks.slice(index + 1).find(({ start }) => start >= block.end);
    if (!next || next.tag.text !== block.tag.text || body.slice(block.end, next.start).trim() !== "") return [];
    if (isList(block) || wordCount(block.content) === 0 || wordCount(next.content) === 0) return [];
    const { name, kind, text } = next.tag;
    const opposite = text.replace(kind === "section" ? "#" : "^", kind === "section" ? "^" : "#");
    return [
      {
        message: `This section asks the same as the one right before it, so that "${name}" shows both or none.`,
        at: next.tag.at(),
        hint: `If one of them is for the other case, open it with ${opposite}; otherwise make one section of them.`,
      },
    ];
  });
}

function isList({ tag: { found } }: Block): boolean {
  return found?.shape.kinds.some(({ type }) => type === "array") ?? false;
}
