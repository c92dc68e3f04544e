import { tokensIn } from "../../mustache/tokens.js";
import { elementsOf } from "./document.js";
import { attributeValue, type MjmlElement } from "./element.js";

/** An element in mj-attributes that sets defaults, and its mj-class, if any. */
interface Default {
  readonly element: MjmlElement;
  readonly className: string | undefined;
}

/**
 * The numbers of the tags in defaults of mj-attributes that apply to no element: they need not be printed.
 * Shared heads have many of them.
 */
export function unusedDefaultTags(document: MjmlElement): Set<number> {
  const elements = elementsOf(document);
  const users = document.children.filter(({ tagName }) => tagName === "mj-body").flatMap((body) => elementsOf(body));
  const defaults = elements.filter(({ tagName }) => tagName === "mj-attributes").flatMap(defaultsIn);
  const unused = defaults.flatMap(({ element, className }) =>
    element.attributes
      // The name of a class decides where it applies.
      .filter(({ name }) => element.tagName !== "mj-class" || name !== "name")
      .map(({ name, value }) => ({ name, tokens: tokensIn(value) }))
      .filter(({ name, tokens }) => tokens.length > 0 && !users.some((user) => uses(user, name, element, className))),
  );
  return new Set(unused.flatMap(({ tokens }) => tokens.map(({ tag }) => tag)));
}

function defaultsIn(attributes: MjmlElement): Default[] {
  return attributes.children.flatMap((element) => {
    if (element.tagName !== "mj-class") return [{ element, className: undefined }];
    const className = attributeValue(element, "name");
    return [element, ...element.children].map((inner) => ({ element: inner, className }));
  });
}

function uses(user: MjmlElement, name: string, { tagName }: MjmlElement, className: string | undefined): boolean {
  if (className !== undefined) return (attributeValue(user, "mj-class") ?? "").split(/\s+/).includes(className);
  return (tagName === "mj-all" || tagName === user.tagName) && attributeValue(user, name) === undefined;
}
