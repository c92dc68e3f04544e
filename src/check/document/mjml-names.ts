/** What html calls by another name than MJML does. */
const ATTRIBUTES: Readonly<Record<string, readonly string[]>> = {
  class: ["css-class"],
  bgcolor: ["background-color", "inner-background-color", "container-background-color"],
  background: ["background-url"],
  valign: ["vertical-align"],
  src: ["background-url"],
};

const BACKGROUND = ["background-color", "inner-background-color", "container-background-color", "background-url"];

/** Attributes of MJML that become a property of a style, where that has another name. */
const PROPERTIES: Readonly<Record<string, readonly string[]>> = {
  background: BACKGROUND,
  "background-color": BACKGROUND,
  "background-image": ["background-url"],
  "text-align": ["align"],
  padding: ["inner-padding", "icon-padding", "text-padding"],
  border: ["inner-border"],
  "border-radius": ["inner-border-radius"],
  // Of a divider.
  "border-top": ["border-color", "border-style", "border-width"],
  "max-width": ["width"],
};

/** The attributes of an mj-element that an attribute of its html may come from, likeliest first. */
export function mjmlAttributes(name: string): readonly string[] {
  return [name, ...(ATTRIBUTES[name] ?? [])];
}

/** The attributes of an mj-element that a property of its html's style may come from, likeliest first. */
export function mjmlStyleAttributes(property: string): readonly string[] {
  return [property, ...(PROPERTIES[property] ?? [])];
}
