import { withheldAddress } from "./withhold.js";

/** How many images of other hosts an email asks for: each once, however often it is there. */
export function remoteImagesIn(email: Document): number {
  const images = [...email.images].map((image) => image.currentSrc || image.src);
  const remote = new Set([...images, ...backgroundsIn(email)].map(withheldAddress).filter(isRemote));
  return remote.size;
}

function isRemote(address: string): boolean {
  return /^https?:/i.test(address) && !address.startsWith(`${window.location.origin}/`);
}

/** Those that are in use: a style sheet may name others, for other widths or schemes. */
function backgroundsIn(email: Document): readonly string[] {
  const mayHave =
    email.querySelector("[background], [style*='url(' i]") ??
    [...email.querySelectorAll("style")].find(({ textContent }) => /url\(/i.test(textContent));
  if (!mayHave || !email.defaultView) return [];
  const { defaultView: view } = email;
  return [...email.querySelectorAll("body, body *")].flatMap((element) =>
    [...view.getComputedStyle(element).backgroundImage.matchAll(/url\("([^"]*)"\)/g)].map(
      ([, address = ""]) => address,
    ),
  );
}
