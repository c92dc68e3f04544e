const keyOf = (name: string) => `preview:${name}`;

/** The user's preferences for all projects, stored by the browser if it allows that. */
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
      // The page also works without storage.
    }
  },
};
