/** Joins the names that are set into a class attribute. */
export const classes = (...names: readonly (string | false | undefined)[]): string => names.filter(Boolean).join(" ");
