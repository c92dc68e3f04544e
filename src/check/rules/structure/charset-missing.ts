import type { EmailElement } from "../../document/nodes.js";
import type { Rule } from "../../rule.js";

export const charsetMissing: Rule = {
  id: "charset-missing",
  summary: "The html body does not say that it is UTF-8.",
  severity: "warning",
  checkTemplate({ document }) {
    const head = document.first("head") ?? document.first("html");
    if (!head) return [];
    const meta = document.named("meta").find((each) => charsetOf(each) !== undefined);
    const charset = meta && charsetOf(meta);
    const hint = 'Put `<meta charset="utf-8">` first in `<head>`.';
    if (!meta) return [{ message: "The body does not say its character set.", at: head.at(), hint }];
    if (charset === "" || charset?.includes("{{") || /^utf-?8$/i.test(charset ?? "")) return [];
    return [{ message: `The body says that it is ${charset}; it is sent as UTF-8.`, at: meta.at(), hint }];
  },
};

function charsetOf(meta: EmailElement): string | undefined {
  const charset = meta.attribute("charset");
  if (charset !== undefined || meta.attribute("http-equiv")?.toLowerCase() !== "content-type") return charset?.trim();
  return /charset\s*=\s*([^\s;]+)/i.exec(meta.attribute("content") ?? "")?.[1];
}
