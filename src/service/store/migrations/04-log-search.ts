/** What the log is searched by. */
export const logSearch = ``;
