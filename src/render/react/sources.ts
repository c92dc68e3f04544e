/** The sources of a component's own modules, as they were when they were bundled. */
export type Sources = ReadonlyMap<string, string>;
