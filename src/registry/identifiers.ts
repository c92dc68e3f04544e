/** Names that the generated file itself uses. */
const RESERVED = ["TemplateVariables", "FilledVariables", "TemplatesWithoutSubject", "Registry"];

/** Assigns unique identifiers within one file. */
export class Identifiers {
  readonly #taken = new Set(RESERVED);

  /**
   * Turns any text into a type name: `password-reset` becomes `PasswordReset`, with a number appended if that is taken.
   */
  typeName(text: string, suffix = ""): string {
    const words = text.match(/[A-Za-z0-9]+/g) ?? [];
    const pascal = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
    const start = /^[A-Z]/.test(pascal) ? pascal : `Template${pascal}`;
    let name = `${start}${suffix}`;
    for (let number = 2; this.#taken.has(name); number += 1) name = `${start}${number}${suffix}`;
    this.#taken.add(name);
    return name;
  }
}

/** A property name as code, quoted if necessary. */
export function propertyKey(name: string): string {
  if (/^[A-Za-z_$][\w$]*$/.test(name)) return name === "__proto__" ? `["__proto__"]` : name;
  return JSON.stringify(name);
}
