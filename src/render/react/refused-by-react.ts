import type { Diagnostic } from "../../diagnostic.js";
import { positionAt } from "../../text/position.js";

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
    const object = find(new RegExp(`(?<![=(,:?&|]\\s*)\\{\\{\\s*${names.join("\\s*,\\s*")}\\s*,?\\s*\\}\\}`), texts);
    return object
      ? {
          at: object.at,
          message: `${object.text} is an object in JSX, which React can't print.`,
          hint: `Write ${object.text.slice(1, -1)}.`,
        }
      : {};
  }
  if (message.startsWith("The `style` prop expects a mapping")) {
    const attribute = find(/(?<=<[a-z][a-z\d]*\b[^<>]*\s)style=(?:"[^"]*"|'[^']*')/, texts);
    return attribute
      ? { at: attribute.at, message: `${attribute.text} is a string, but React expects an object.`, hint: STYLE }
      : {};
  }
  return {};
}

const STYLE = 'Write an object with camel-case names: style={{ fontSize: "16px" }}.';

function find(pattern: RegExp, texts: ReadonlyMap<string, string>) {
  for (const [file, text] of texts) {
    const match = pattern.exec(text);
    if (match) return { text: match[0], at: { file, ...positionAt(text, match.index) } };
  }
  return undefined;
}
