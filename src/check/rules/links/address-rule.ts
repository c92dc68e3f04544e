import type { SourcePosition } from "../../../diagnostic.js";
import type { EmailDocument } from "../../document/email-document.js";
import { onceEach } from "../../once-each.js";
import type { Finding, Rule } from "../../rule.js";
import { type Address, allAddresses, type TextAddress } from "./addresses.js";

/**
 * What looks at each address by itself, in every form that it can come to; also at those of a hand-written text body.
 *
 * @example
 * checkTemplate: forEachAddress((form) => (form.startsWith("data:") ? { message: `${form} is no address.` } : undefined)),
 */
export function forEachAddress(
  find: (form: string, address: Address | TextAddress) => Omit<Finding, "at"> | undefined,
): NonNullable<Rule["checkTemplate"]> {
  return (checked) =>
    onceEach(
      allAddresses(checked).flatMap((address) =>
        address.forms.flatMap((form) => {
          const found = find(form, address);
          return found ? [{ ...found, at: placeOf(address, checked.document) }] : [];
        }),
      ),
    );
}

/** Where an address was written; also one that came through a compiler's attributes, if it can be found by itself. */
export function placeOf(address: Address | TextAddress, document: EmailDocument): SourcePosition {
  const place = address.at();
  if (!address.element) return place;
  const { use, element, attribute, written } = address;
  // What loads a file may stand for a whole element of its own, such as mj-font, that is not where it came to be.
  const isMoved = use === "resource" && element.place === undefined;
  const [body] = document.input.sources.keys();
  if (place.line !== undefined && !isMoved && place.file === body) return place;
  const quoted = document.positionOf(`"${written}"`);
  const found = quoted.line === undefined && written.length > 8 ? document.positionOf(written) : quoted;
  // A component's link leads to where the template that uses it says.
  const isBetter = place.line === undefined || isMoved || found.file === body;
  if (found.line !== undefined && isBetter) return found;
  return isMoved || attribute === undefined ? place : element.atUse(attribute);
}

/** Short enough for a message. */
export function shown(address: string): string {
  return address.length > 80 ? `${address.slice(0, 77)}…` : address;
}
