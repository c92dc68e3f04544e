import type { SourcePosition } from "../../../diagnostic.js";
import { positionAt } from "../../../position.js";
import type { CheckedTemplate } from "../../rule.js";
import { textSources } from "../../text-sources.js";
import { type Address, addressesIn } from "./addresses.js";

/** An address that no element has. */
export interface AddressBeside extends Pick<Address, "use" | "begins"> {
  readonly element?: undefined;
  readonly form: string;
  readonly at: () => SourcePosition;
}

/** The addresses that a hand-written text body spells out, and those that only Outlook sees. */
export function addressesBeside(checked: CheckedTemplate): readonly AddressBeside[] {
  const known = read.get(checked);
  if (known) return known;
  const addresses = [...addressesOfText(checked), ...addressesForOutlook(checked)];
  read.set(checked, addresses);
  return addresses;
}

/** Several rules ask, one after the other. */
const read = new WeakMap<CheckedTemplate, readonly AddressBeside[]>();

/** Up to what cannot be in an address, or a section. */
const SPELT =
  /\b(?:https?|h?t{1,3}ps?|h{1,2}t{1,3}p{1,2}s{0,2}|hptts?|htps?):\/\/(?:\{\{(?!\s*[#^/!])[^{}]*\}\}\}?|[^\s<>"'`()[\]{}|])+/gi;

function addressesOfText(checked: CheckedTemplate): AddressBeside[] {
  return textSources(checked).flatMap(({ file, text }) =>
    Array.from(text.matchAll(SPELT), ({ 0: found, index }): AddressBeside => {
      const at = () => ({ file, ...positionAt(text, index) });
      return { use: "link", form: found.replace(/[.,;:!?*_…]+$/, ""), at, begins: at };
    }),
  );
}

const IN_TAG = /\s(src|href|background)\s*=\s*["'](https?:[^"']*)["']/gi;

/** What has a copy outside of conditional comments is told of there. */
function addressesForOutlook(checked: CheckedTemplate): AddressBeside[] {
  const conditional = checked.document.comments.filter(
    ({ isConditional, tokenised }) => isConditional && tokenised.includes("http"),
  );
  if (conditional.length === 0) return [];
  const known = new Set(addressesIn(checked).map(({ written }) => written));
  return conditional.flatMap((comment) =>
    Array.from(comment.text.matchAll(IN_TAG), ([, name = "", form = ""]): AddressBeside => ({
      use: /href/i.test(name) ? "link" : "image",
      form: form.replaceAll("&amp;", "&"),
      at: () => comment.at(form),
      begins: () => undefined,
    })).filter(({ form }) => !known.has(form)),
  );
}
