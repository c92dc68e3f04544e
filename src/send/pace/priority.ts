/**
 * `high` is for messages that someone is waiting for, such as a sign-in code: they go first, and slots are reserved for
 * them.
 */
export type Priority = "high" | "normal";
