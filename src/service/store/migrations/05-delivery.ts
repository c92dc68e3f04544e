/** What becomes of a mail after it was accepted, and what is posted about it. */
export const delivery = ``;
