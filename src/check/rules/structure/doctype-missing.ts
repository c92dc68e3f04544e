import type { Rule } from "../../rule.js";

export const doctypeMissing: Rule = {
  id: "doctype-missing",
  summary: "The html body doesn't begin with a doctype.",
  severity: "warning",
  checkTemplate({ document, template: { body, engine } }) {
    if (document.doctype !== undefined) return [];
    const at = { file: body.file, line: 1, column: 1 };
    const isWhole = document.first("html") !== undefined;
    return [
      {
        message: isWhole
          ? "The body doesn't begin with a doctype, so mail clients lay it out in quirks mode."
          : "The body is only part of a document: it has no doctype and no <html>.",
        at,
        hint: isWhole
          ? "Start it with `<!doctype html>`."
          : 'Put `<!doctype html><html lang="…"><head>…</head><body>` before it, and `</body></html>` after it.',
        ...(isWhole &&
          engine === "html" && { edits: [{ at, remove: "", insert: "<!doctype html>\n", isUnsafe: true }] }),
      },
    ];
  },
};
