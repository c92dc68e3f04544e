let isWanted = false;

/** Something is to be looked for in code that is not shown yet: the next that is shown begins with it. */
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
