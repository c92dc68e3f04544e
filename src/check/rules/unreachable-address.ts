import { scanMarkup } from "../../markup.js";
import type { Finding, Rule } from "../rule.js";
import { positionOfText } from "../source-position.js";

const ADDRESSES: readonly string[] = ["href", "src", "background", "action"];

/** Where `build` puts images while no address for them is configured. */
const BUILT_ASSET = /^assets\//;

export const unreachableAddress: Rule = {
  id: "unreachable-address",
  checkTemplate({ template, compiled }) {
    return addressesIn(compiled.html_body).flatMap((address): Finding[] => {
      const reason = whyUnreachable(address);
      if (reason === undefined) return [];
      const isBuiltAsset = BUILT_ASSET.test(address);
      return [
        {
          severity: isBuiltAsset ? "info" : "error",
          message: `${address} leads nowhere in a mailbox: it ${reason}.`,
          at: positionOfText(template, isBuiltAsset ? address.replace(BUILT_ASSET, "") : address),
          hint: isBuiltAsset
            ? "Set assets.baseUrl in the configuration to where the images will be."
            : "Write the whole address, beginning with https://.",
        },
      ];
    });
  },
};

function addressesIn(html: string): string[] {
  const attributes = scanMarkup(html).pieces.flatMap((piece) => (piece.kind === "open" ? piece.attributes : []));
  return [
    ...new Set(
      attributes.filter(({ name }) => ADDRESSES.includes(name.toLowerCase())).map(({ value }) => value.trim()),
    ),
  ];
}

function whyUnreachable(address: string): string | undefined {
  if (address === "" || address.startsWith("#") || address.startsWith("{{")) return undefined;
  if (/^(?:https?:)?\/\/(?:localhost|127\.|0\.0\.0\.0|\[::1\])/i.test(address))
    return "is on the machine that compiled it";
  if (/^file:/i.test(address)) return "is a file of the machine that compiled it";
  if (/^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(address)) return undefined;
  return "is relative, and a mail has no address of its own";
}
