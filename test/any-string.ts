import * as fc from "fast-check";

/** Any code point except a lone surrogate. */
const character = fc
  .nat(0x10_ff_ff - 0x8_00)
  .map((number) => String.fromCodePoint(number < 0xd8_00 ? number : number + 0x8_00));

/** A string of any characters. fast-check's unit `binary` would first build a table of all of them, which takes seconds. */
export function anyString(lengths: { readonly minLength?: number; readonly maxLength?: number } = {}) {
  return fc.string({ ...lengths, unit: character });
}
