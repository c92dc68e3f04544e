import type { SourcePosition } from "../../../diagnostic.js";
import type { Template } from "../../../template/template.js";
import type { EmailDocument } from "../../document/email-document.js";
import type { Finding, Rule } from "../../rule.js";
import { onceEach } from "../../once-each.js";
import { type Address, addressesIn } from "./addresses.js";
import { type AddressBeside, addressesBeside } from "./addresses-beside.js";

type Found = Omit<Finding, "at">;

/**
 * What looks at each address by itself, in every form that it can come to; also at those of a hand-written text body.
 *
 * @example
 * checkTemplate: forEachAddress((form) => (form.startsWith("data:") ? { message: `${form} is no address.` } : undefined)),
 */
export function forEachAddress(
  find: (form: string, address: Address | AddressBeside, template: Template) => Found | undefined,
): NonNullable<Rule["checkTemplate"]> {
  return (checked) => {
    const { document } = checked;
    const inHtml = addressesIn(checked).flatMap((address) =>
      address.forms.flatMap((form) => {
        const found = find(form, address, checked.template);
        return found ? [{ ...found, at: placeOf(address, document) }] : [];
      }),
    );
    const beside = addressesBeside(checked).flatMap((address) => {
      const found = find(address.form, address, checked.template);
      return found ? [{ ...found, at: address.at() }] : [];
    });
    return onceEach([...inHtml, ...beside]);
  };
}

/** Where an address was written; also one that came through a compiler's attributes, if it can be found by itself. */
export function placeOf({ use, element, written, at, atUse }: Address, document: EmailDocument): SourcePosition {
  const place = at();
  // What loads a file may stand for a whole element of its own, such as mj-font, that is not where it came to be.
  const isMoved = use === "resource" && element.place === undefined;
  const [body] = document.input.sources.keys();
  if (place.line !== undefined && !isMoved && place.file === body) return place;
  const quoted = document.positionOf(`"${written}"`);
  const found = quoted.line === undefined && written.length > 8 ? document.positionOf(written) : quoted;
  // A component's link leads to where the template that uses it says.
  const isBetter = place.line === undefined || isMoved || found.file === body;
  return found.line !== undefined && isBetter ? found : isMoved ? place : atUse();
}

/** Short enough for a message. */
export function shown(address: string): string {
  return address.length > 80 ? `${address.slice(0, 77)}…` : address;
}
