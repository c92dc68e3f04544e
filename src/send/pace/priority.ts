/** `high` is for what somebody waits for, such as a sign-in code: it overtakes, and turns are kept for it. */
export type Priority = "high" | "normal";
