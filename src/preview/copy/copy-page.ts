/** Marks a page as a static copy, unlike any other folder's `index.html`. */
export const COPY_MARK = '<meta name="generator" content="lettershop preview" />';

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob: http: https:",
  "font-src 'self' data:",
  "worker-src blob:",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

/** The page's HTML for a copy: it loads only the data next to it. */
export function copyPage(html: string): string {
  return html
    .replace(/<meta charset="[^"]*" ?\/?>/, (charset) =>
      [charset, COPY_MARK, `<meta http-equiv="Content-Security-Policy" content="${policy}" />`].join("\n    "),
    )
    .replace(/<script defer[^>]*><\/script>/, (script) =>
      [`<script defer src="./data/project.js"></script>`, script].join("\n    "),
    );
}
