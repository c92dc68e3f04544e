/** The names that are there, as one attribute. */
export const classes = (...names: readonly (string | false | undefined)[]): string => names.filter(Boolean).join(" ");
