import { useTemplate } from "../state/data.js";
import { useInput } from "../variables/filled.js";

/** An email address in the fixture, at its top level or one level below: `email`, `customer.email`. */
const addressIn = (value: unknown, depth: number): string | undefined => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const members = Object.entries(value);
  const own = members.find(([key, text]) => /^e-?mail(?:_?address)?$/i.test(key) && typeof text === "string");
  if (own) return String(own[1]);
  return depth === 0 ? undefined : members.map(([, member]) => addressIn(member, depth - 1)).find(Boolean);
};

/** The recipient that the envelope shows, once the template has loaded. Nothing is sent to this address. */
export const useRecipient = (): string | undefined => {
  const { input } = useInput();
  const { detail } = useTemplate();
  return detail && (addressIn(input, 1) ?? "ada@example.com");
};
