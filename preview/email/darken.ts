import { darkened, lightened, lineInDark } from "./colour.js";

/**
 * Shows an email as clients that force dark mode do: each colour is changed separately, from computed styles. Images
 * and gradients stay. Like Outlook.com, it marks changed elements with attributes that an email's styles can select.
 */
export function darken(email: Document): void {
  const view = email.defaultView;
  if (!view) return;
  const priority = isPreparedFor(email) ? "" : "important";
  const changes: (() => void)[] = [];
  const change = (element: HTMLElement, property: string, colour: string, mark?: [name: string, value: string]) =>
    changes.push(() => {
      element.style.setProperty(property, colour, priority);
      if (mark) element.setAttribute(...mark);
    });

  for (const element of email.querySelectorAll<HTMLElement>(":is(html, body, body *):not(svg, svg *)")) {
    const style = view.getComputedStyle(element);
    const background = darkened(style.backgroundColor);
    if (background) change(element, "background-color", background, ["data-ogsb", style.backgroundColor]);
    const text = hasText(element) ? lightened(style.color) : undefined;
    if (text) change(element, "color", text, ["data-ogsc", style.color]);
    for (const side of SIDES) {
      if (style.getPropertyValue(`border-${side}-width`) === "0px") continue;
      const line = lineInDark(style.getPropertyValue(`border-${side}-color`));
      if (line) change(element, `border-${side}-color`, line);
    }
  }
  // Reading styles between changes would make the browser compute them again each time.
  for (const apply of changes) apply();
}

const SIDES = ["top", "right", "bottom", "left"];

function isPreparedFor(email: Document): boolean {
  return [...email.querySelectorAll("style")].some(({ textContent }) => /data-og(?:sc|sb|ac|ab)/.test(textContent));
}

function hasText(element: Element): boolean {
  return (
    element.localName === "body" ||
    element.localName === "li" ||
    element.localName === "input" ||
    [...element.childNodes].some(({ nodeType, nodeValue }) => nodeType === Node.TEXT_NODE && nodeValue?.trim())
  );
}
