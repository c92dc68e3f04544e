import type { SourcePosition } from "../../../diagnostic.js";
import type { EmailElement } from "../../document/nodes.js";
import type { CheckedTemplate } from "../../rule.js";
import { TruthTable } from "../../truth/truth-table.js";
import { branches } from "../../truth/branches.js";

/** What an address is for: something to open, an image to show, an image behind something, a file to load. */
export type AddressUse = "link" | "image" | "background" | "resource";

/** An address that a message leads to or loads from. */
export interface Address {
  readonly use: AddressUse;
  /** The element that has it, also where the address is in a style. */
  readonly element: EmailElement;
  /** Without the white space around it, Mustache tags as written. */
  readonly written: string;
  /** What it can come to once its sections are decided; the variables' tags are still in it. */
  readonly forms: readonly string[];
  readonly at: () => SourcePosition;
  /** The same, of what a shared component was given, where it was. */
  readonly atUse: () => SourcePosition;
  /** Where the source has its beginning, also of one that goes on with what is computed; undefined where that is not known. */
  readonly begins: (beginning: string) => Required<SourcePosition> | undefined;
}

const BY_ELEMENT: Readonly<Record<string, readonly (readonly [attribute: string, use: AddressUse])[]>> = {
  a: [["href", "link"]],
  area: [["href", "link"]],
  form: [["action", "link"]],
  img: [["src", "image"]],
  video: [
    ["src", "resource"],
    ["poster", "image"],
  ],
  audio: [["src", "resource"]],
  source: [["src", "resource"]],
  link: [["href", "resource"]],
};

/**
 * Every address of a document: of links, images, backgrounds and style sheets.
 *
 * @example
 * addressesIn(checked).filter(({ use }) => use === "link").map(({ written }) => written); // ["https://a.example/{{id}}"]
 */
export function addressesIn(checked: CheckedTemplate): readonly Address[] {
  const known = read.get(checked);
  if (known) return known;
  const { document } = checked;
  const written = document.elements.filter(mayHaveAddress).flatMap(addressesOf);
  const addresses = [...written, ...backgroundsOfSheets(checked)].map((address) => ({
    ...address,
    forms: formsOf(address, checked),
  }));
  read.set(checked, addresses);
  return addresses;
}

/** Several rules ask, one after the other. */
const read = new WeakMap<CheckedTemplate, readonly Address[]>();

/** What an address comes to; not counted where that is nothing. */
function formsOf({ element, written }: Pick<Address, "element" | "written">, checked: CheckedTemplate): string[] {
  const part = { text: written, around: branches(checked.document).get(element) ?? [] };
  const forms = TruthTable.of(checked)
    .texts(part)
    .map((form) => form.trim());
  return forms.filter((form) => form !== "" || written === "");
}

/** The images that mails show, behind something or not. */
export function isImage({ use }: Pick<Address, "use">): boolean {
  return use === "image" || use === "background";
}

function mayHaveAddress({ name, attributes }: EmailElement): boolean {
  return (
    Object.hasOwn(BY_ELEMENT, name) || attributes.has("background") || IS_IN_STYLE.test(attributes.get("style") ?? "")
  );
}

const IS_IN_STYLE = /url\(/i;

function addressesOf(element: EmailElement): Omit<Address, "forms">[] {
  const ofAttributes = [...(BY_ELEMENT[element.name] ?? []), ["background", "background"] as const].flatMap(
    ([attribute, use]): Omit<Address, "forms">[] => {
      const value = element.attribute(attribute);
      if (value === undefined) return [];
      const written = value.trim();
      const at = () => element.at(attribute);
      const begins = (beginning: string) => element.atValue(attribute, beginning);
      return [{ ...base(use, element, written, at), atUse: () => element.atUse(attribute), begins }];
    },
  );
  // Few styles have an address, and reading them all takes its time.
  const style = IS_IN_STYLE.test(element.attribute("style") ?? "") ? element.style : [];
  const ofStyle = style.flatMap((declaration) =>
    urlsIn(declaration.value).map((written) => ({
      ...base("background", element, written, () => declaration.at()),
      begins: () => element.atValue("style", written),
    })),
  );
  return [...ofAttributes, ...ofStyle];
}

function backgroundsOfSheets({ document }: CheckedTemplate): Omit<Address, "forms">[] {
  return document.styleRules.flatMap(({ element, declarations }) =>
    declarations.flatMap((declaration) =>
      urlsIn(declaration.value).map((written) => ({
        ...base("background", element, written, () => declaration.at()),
        begins: () => undefined,
      })),
    ),
  );
}

function base(use: AddressUse, element: EmailElement, written: string, at: () => SourcePosition) {
  return { use, element, written, at, atUse: at };
}

const URL_OF_CSS = /\burl\(\s*(?:"([^"]*)"|'([^']*)'|([^"')][^)]*))\s*\)/gi;

function urlsIn(value: string): string[] {
  return Array.from(value.matchAll(URL_OF_CSS), ([, double, single, bare]) => (double ?? single ?? bare ?? "").trim());
}
