import { documentWith, type BuiltInRule } from "../../rule.js";

export const doctypeMissing: BuiltInRule = {
  id: "doctype-missing",
  severity: "warning",
  summary: "The HTML body doesn't begin with a doctype.",
  details: "The HTML body doesn't begin with a doctype, or is only part of a document.",
  why:
    "Without a doctype, clients use [quirks mode](https://quirks.spec.whatwg.org/): tables don't inherit font " +
    "sizes, widths are calculated differently, and results differ between clients. " +
    "[caniemail.com](https://www.caniemail.com/features/html-doctype/) lists the clients that keep the doctype. " +
    "MJML and React Email's `<Html>` add one.",
  fix:
    "Start the body with `<!doctype html>`. `templates check --fix --unsafe` adds it; it is unsafe because the " +
    "layout may change. If the body is only part of a document, put `<!doctype html><html " +
    'lang="…"><head>…</head><body>` before it and `</body></html>` after it.',
  examples: {
    wrong: [documentWith().replace("<!doctype html>\n", "‸")],
    right: [documentWith()],
  },
  *checkTemplate({ document, template: { body, engine } }) {
    if (document.doctype !== undefined) return;
    const at = { file: body.file, line: 1, column: 1 };
    if (document.first("html"))
      yield {
        message: "The body doesn't begin with a doctype, so email clients lay it out in quirks mode.",
        at,
        hint: "Start it with `<!doctype html>`.",
        ...(engine === "html" && { edits: [{ at, remove: "", insert: "<!doctype html>\n", isUnsafe: true }] }),
      };
    else
      yield {
        message: "The body is only part of a document: it has no doctype and no <html>.",
        at,
        hint: 'Put `<!doctype html><html lang="…"><head>…</head><body>` before it, and `</body></html>` after it.',
      };
  },
};
