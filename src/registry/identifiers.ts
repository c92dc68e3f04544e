/** Names taken by the generated file itself. */
const RESERVED = ["TemplateVariables", "FilledVariables", "TemplatesWithoutSubject", "Registry"];

/** Gives out identifiers of one file, each once. */
export class Identifiers {
  readonly #taken = new Set(RESERVED);

  /**
   * A type's name made from any text: `password-reset` becomes `PasswordReset`, with a number behind it where that is
   * taken.
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

/** A property's name as code: bare where it may be, else quoted. */
export function propertyKey(name: string): string {
  if (/^[A-Za-z_$][\w$]*$/.test(name)) return name === "__proto__" ? `["__proto__"]` : name;
  return JSON.stringify(name);
}
