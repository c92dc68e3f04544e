import { hostOf } from "./address-parts.js";

/** Endings that are nothing but a domain's: `order.pdf`, `Node.js` and `README.md` are no addresses. */
const ENDINGS = new Set(
  "com net org info biz edu gov mil int io co app dev ai shop store online site cloud tech me tv example eu uk de fr nl it es pt pl cz at ch be dk se no fi ie us ca au nz jp cn in br mx ru kr za".split(
    " ",
  ),
);
const WHOLE = /\bhttps?:\/\/[^\s<>"')]*[^\s<>"'),.;:!?]/i;
const BARE = /^(?:www\.)?((?:[\p{L}\d](?:[\p{L}\d-]*[\p{L}\d])?\.)+([\p{L}]{2,}))(?::\d+)?(?:\/\S*)?$/u;
const MAIL = /^[^\s@{}]+@[^\s@{}]+\.[^\s@{}]+$/;

/**
 * The host that a text names, if it is an address or has a whole one in it.
 *
 * @example
 * hostInText("Open https://shop.example/orders now"); // "shop.example"
 * hostInText("shop.example"); // "shop.example"
 * hostInText("Built with Node.js"); // undefined
 */
export function hostInText(text: string): string | undefined {
  const whole = WHOLE.exec(text)?.[0];
  if (whole !== undefined) return hostOf(whole);
  const [, host, ending] = BARE.exec(text) ?? [];
  const isKnown = /^www\./i.test(text) || (ending !== undefined && ENDINGS.has(ending.toLowerCase()));
  return isKnown ? host?.toLowerCase() : undefined;
}

/** The mail address that a text is. */
export function mailInText(text: string): string | undefined {
  return MAIL.test(text.trim()) ? text.trim().toLowerCase() : undefined;
}
