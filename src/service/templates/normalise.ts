import { BODY_MAX } from "../../api/limits.js";

interface Bodies {
  readonly html_body?: string | undefined;
  readonly text_body?: string | undefined;
}

/**
 * Normalises a template's bodies as a service might: line ends as LF, no spaces at ends of lines, one line end at the
 * end if there is room for it.
 */
export function normaliseBodies<Fields extends Bodies>(fields: Fields): Fields {
  const { html_body: html, text_body: text } = fields;
  return {
    ...fields,
    ...(html !== undefined && { html_body: normalise(html) }),
    ...(text !== undefined && { text_body: normalise(text) }),
  };
}

function normalise(body: string): string {
  const lines = body.split(/\r\n|\r|\n/).map((line) => line.replace(/[ \t]+$/, ""));
  const content = lines.join("\n").replace(/\n+$/, "");
  return content === "" ? "" : `${content}\n`.slice(0, BODY_MAX);
}
