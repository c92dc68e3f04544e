/** Whether a text is an http or https URL that would be asked for as it stands: URL parsers drop or encode other characters. */
export function isWebAddress(text: string): boolean {
  return /^https?:\/\/[^\s\p{Cc}\p{Surrogate}]+$/iu.test(text) && URL.canParse(text);
}
