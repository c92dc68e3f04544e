/** Aliases and rules. */
export const aliasesAndRules = ``;
