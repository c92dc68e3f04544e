let isWanted = false;

/** A request to search code that is not on screen yet: the next code view to open starts with its search bar open. */
export const wantedFind = {
  ask: (): void => {
    isWanted = true;
  },
  take: (): boolean => {
    const was = isWanted;
    isWanted = false;
    return was;
  },
};
