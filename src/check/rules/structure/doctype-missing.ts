import type { Rule } from "../../rule.js";

export const doctypeMissing: Rule = {
  id: "doctype-missing",
  summary: "The html body does not begin with a doctype.",
  severity: "warning",
  checkTemplate({ document, template: { body, engine } }) {
    if (document.doctype !== undefined) return [];
    const at = { file: body.file, line: 1, column: 1 };
    const isWhole = document.first("html") !== undefined;
    return [
      {
        message: isWhole
          ? "The body does not begin with a doctype: mail clients lay it out as browsers did twenty years ago."
          : "The body is only a part of a document: it has no doctype and no <html>.",
        at,
        hint: isWhole
          ? "Begin it with <!doctype html>."
          : 'Put `<!doctype html><html lang="…"><head>…</head><body>` before it, and `</body></html>` after it.',
        ...(isWhole &&
          engine === "html" && { edits: [{ at, remove: "", insert: "<!doctype html>\n", isUnsafe: true }] }),
      },
    ];
  },
};
