import type { Diagnostic } from "../../diagnostic.js";
import { positionAt } from "../../position.js";

/**
 * Explains errors of React that have no position: a Mustache tag written as in HTML, and a `style` attribute that is a
 * string.
 *
 * @param texts The template's own files, its body first.
 */
export function refusedByReact(message: string, texts: ReadonlyMap<string, string>): Partial<Diagnostic> {
  const keys = /^Objects are not valid as a React child \(found: object with keys \{([\w$, ]+)\}\)/.exec(message)?.[1];
  if (keys !== undefined) {
    const names = keys.split(", ").map((name) => name.replaceAll("$", "\\$"));
    // After an equals sign, it is the object of an attribute.
    const found = find(new RegExp(`(?<![=(,:?&|]\\s*)\\{\\{\\s*${names.join("\\s*,\\s*")}\\s*,?\\s*\\}\\}`), texts);
    return found
      ? {
          at: found.at,
          message: `${found.text} is an object in JSX, which React can't print.`,
          hint: `Write ${found.text.slice(1, -1)}.`,
        }
      : {};
  }
  if (message.startsWith("The `style` prop expects a mapping")) {
    const found = find(/(?<=<[a-z][a-z\d]*\b[^<>]*\s)style=(?:"[^"]*"|'[^']*')/, texts);
    return found
      ? { at: found.at, message: `${found.text} is a string, but React expects an object.`, hint: STYLE }
      : {};
  }
  return {};
}

const STYLE = 'Write an object with camel-case names: style={{ fontSize: "16px" }}.';

function find(pattern: RegExp, texts: ReadonlyMap<string, string>) {
  for (const [file, text] of texts) {
    const found = pattern.exec(text);
    if (found) return { text: found[0], at: { file, ...positionAt(text, found.index) } };
  }
  return undefined;
}
