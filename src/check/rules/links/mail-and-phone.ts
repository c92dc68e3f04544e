import { withoutTags } from "./address-parts.js";

/** Why a `mailto:` does not begin a mail to somebody; tags are taken for what fits. */
export function whyMalformedMail(address: string): string | undefined {
  const [to = "", query = ""] = address.slice("mailto:".length).split(/\?(.*)/s);
  const plain = withoutTags(to, "x");
  if (to.startsWith("//")) return "a mailto: has no slashes";
  if (/^(?:\s|%20)/.test(to)) return "it has a space after the colon";
  if (/\?/.test(withoutTags(query))) return 'what follows its first "?" is divided by "&", not by another "?"';
  if (/^[^?]*&\w+=/.test(withoutTags(to)))
    return 'what it brings along, such as a subject, begins with "?", not with "&"';
  if (plain.trim() === "") return query.trim() === "" ? "it names nobody to write to" : undefined;
  const recipients = plain.split(",").map((recipient) => decoded(recipient).trim());
  const wrong = recipients.find(
    (recipient) => !/^[^\s@<>()[\]",;:]+@[^\s@<>()[\]",;:]+\.[^\s@<>()[\]",;:.]+$/.test(recipient),
  );
  if (wrong === undefined || to.includes("{{")) return undefined;
  if (/^[^<]*<[^\s@<>]+@[^\s@<>]+>$/.test(wrong)) return "a mailto: takes the address alone, without a name";
  return wrong.includes(";") ? "several addresses are divided by commas" : `"${wrong}" is no mail address`;
}

/** Why a `tel:` or `sms:` calls nobody (RFC 3966). */
export function whyMalformedNumber(address: string): string | undefined {
  const number = address.replace(/^[a-z]+:/i, "").split(/[;?&]/)[0] ?? "";
  if (number.startsWith("//")) return "a number has no slashes before it";
  if (address.includes("{{")) return undefined;
  if (!/\d/.test(number)) return "it has no number";
  if (/[a-z]/i.test(decoded(number))) return "a number has no letters";
  return /^\+?[\d\s().*#-]+$/.test(decoded(number)) ? undefined : `"${number.trim()}" is no telephone number`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
