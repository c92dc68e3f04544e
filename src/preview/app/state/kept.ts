const keyOf = (name: string) => `preview:${name}`;

/** What a person chose once, for all projects: kept by the browser, where it allows that. */
export const kept = {
  read: (name: string): string | undefined => {
    try {
      return localStorage.getItem(keyOf(name)) ?? undefined;
    } catch {
      return undefined;
    }
  },
  write: (name: string, value: string): void => {
    try {
      localStorage.setItem(keyOf(name), value);
    } catch {
      // A browser that keeps nothing still shows the page.
    }
  },
};
