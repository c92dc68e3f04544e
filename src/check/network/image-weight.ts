import type { Finding } from "../rule.js";
import { placeOf, shown } from "../rules/links/address-rule.js";
import { isImage } from "../rules/links/addresses.js";
import { onceEach } from "../once-each.js";
import type { Asked } from "./asked.js";

/** Bytes that one image may well have, and all of a mail. */
const HEAVY = 200_000;
const VERY_HEAVY = 1_000_000;
const HEAVY_TOGETHER = 1_000_000;

const HINT = "Scale it to twice the size that it is shown in, and compress it.";

export function weightFindings(asked: readonly Asked[]): Finding[] {
  return [...new Set(asked.map(({ checked }) => checked))].flatMap((each) => {
    const { template, document } = each;
    const own = asked.filter(({ checked }) => checked === each);
    const images = own.flatMap(({ address, form, probe }) =>
      isImage(address) && probe.kind === "answered" && probe.status < 400 && probe.bytes !== undefined
        ? [{ address, form, bytes: probe.bytes }]
        : [],
    );
    const heavy = images
      .filter(({ bytes }) => bytes > HEAVY)
      .map(({ address, form, bytes }): Finding => ({
        severity: bytes > VERY_HEAVY ? "warning" : "info",
        message: `${shown(form)} has ${size(bytes)}: on a phone it takes long to load.`,
        template: template.name,
        at: placeOf(address, document),
        hint: HINT,
      }));
    const sizes = new Map(images.map(({ form, bytes }) => [form, bytes]));
    const together = [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0);
    const isAlone = heavy.some(({ severity }) => severity === "warning");
    if (together <= HEAVY_TOGETHER || isAlone) return onceEach(heavy);
    const total: Finding = {
      message: `The ${sizes.size} images together have ${size(together)}: on a phone they take long to load.`,
      template: template.name,
      at: { file: template.body.file },
      hint: "Begin with the largest: scale it to twice the size that it is shown in, and compress it.",
    };
    return [...onceEach(heavy), total];
  });
}

function size(bytes: number): string {
  return bytes >= 1_000_000 ? `${(bytes / 1_000_000).toFixed(1)} MB` : `${Math.round(bytes / 1000)} kB`;
}
