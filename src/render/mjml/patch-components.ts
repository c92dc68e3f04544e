import { SITE_ATTRIBUTE } from "../../text/markup/scan.js";
import { siteAttribute } from "../source/mapped-text.js";
import { type Component, printCases } from "./empty-values.js";
import type { MjmlJson, MjmlLibrary } from "./library.js";
import { isRecord } from "../../values.js";

/**
 * Makes MJML's components print the tags between their children without counting them as elements: the first element after
 * a tag is still the first.
 */
export function countElements(components: MjmlLibrary["components"]): void {
  for (const owner of ownersOf<Owner>(components, "renderChildren")) {
    if (changed.has(owner)) continue;
    changed.add(owner);
    const { renderChildren: print } = owner;
    owner.renderChildren = function printTags(given, options = {}) {
      const children = given ?? this.props.children;
      const { renderer: renderPlainly = (component: Component) => component.render() } = options;
      const renderer = (component: Component) => printCases(component, renderPlainly);
      if (!children.some(({ isBareTag, gapIn }) => isBareTag || gapIn))
        return print.call(this, children, { ...options, renderer });
      const { elements, before, after } = apart(children);
      const withTags = (component: Component): string => {
        const { index } = component.props;
        return (before[index] ?? "") + printGap(component, elements[index]?.gapIn, renderer);
      };
      return print.call(this, elements, { ...options, renderer: withTags }) + after;
    };
  }
}

/** Several modules may export the same components. */
const changed = new WeakSet<Owner>();

/** The children that are elements, what is printed before each of them, and after the last one. */
function apart(children: readonly MjmlJson[]): { elements: MjmlJson[]; before: string[]; after: string } {
  const elements: MjmlJson[] = [];
  const before: string[] = [];
  let after = "";
  for (const child of children) {
    if (child.isBareTag) {
      after += child.content ?? "";
      continue;
    }
    elements.push(child);
    before.push(after);
    after = "";
  }
  return { elements, before, after };
}

/** Prints an element with the gap above it only in the sections that need one. */
function printGap(component: Component, gapIn: MjmlJson["gapIn"], render: Render): string {
  const { gap } = component.context;
  if (!gapIn || typeof gap !== "string" || gap === "") return render(component);
  // As the first element, it would have no gap.
  component.props = { ...component.props, index: 1 };
  component.context = { ...component.context, gap: GAP };
  const within = (declaration: string) =>
    gapIn.map(({ opening, closing }) => opening + declaration.replace(GAP, gap) + closing).join("");
  return render(component).replaceAll(DECLARATION, within);
}

const GAP = "\uE002";
const DECLARATION = /(?:margin|padding)-top:\uE002;/g;

type Render = (component: Component) => string;

interface Options {
  readonly renderer?: Render;
}

/** The object that prints a component's children: the prototype of a class. */
interface Owner {
  props: { readonly children: readonly MjmlJson[] };
  renderChildren: (this: Owner, children?: readonly MjmlJson[] | null, options?: Options) => string;
}

/**
 * Makes MJML's components print the site of their element in every tag to which they write its attributes. Elements
 * without a site are unchanged.
 */
export function printSites(components: MjmlLibrary["components"]): void {
  for (const printer of ownersOf<Printer>(components, "htmlAttributes")) {
    const { htmlAttributes: print } = printer;
    printer.htmlAttributes = function printSite(given) {
      const site = this.attributes?.[SITE_ATTRIBUTE];
      return print.call(this, given) + (typeof site === "string" ? siteAttribute(site) : "");
    };
  }
}

/** The object that prints the attributes of a component's tags: the prototype of a class. */
interface Printer {
  attributes?: Readonly<Record<string, unknown>>;
  htmlAttributes: (this: Printer, given: unknown) => string;
}

/** The objects that have a method: most components inherit it from one class. */
function ownersOf<Holder extends object>(
  components: MjmlLibrary["components"],
  method: keyof Holder & string,
): Set<Holder> {
  const isOwner = (value: unknown): value is Holder => isRecord(value) && typeof value[method] === "function";
  const owners = Object.values(components).map((component: unknown) => {
    let owner: unknown = typeof component === "function" ? component.prototype : undefined;
    while (isRecord(owner) && !Object.hasOwn(owner, method)) owner = Object.getPrototypeOf(owner);
    return owner;
  });
  return new Set(owners.filter(isOwner));
}
