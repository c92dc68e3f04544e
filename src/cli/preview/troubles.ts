import type { ProjectState } from "../../preview/contract.js";
import type { Output } from "../output.js";

/** Prints the problems that prevent templates from being loaded. Returns whether there are any. */
export function noteTroubles({ problems }: ProjectState, output: Output): boolean {
  const blocking = problems.filter(
    // The page treats a missing templates folder as a new project, but a command that writes files would write none.
    ({ isBlocking, severity, rule }) => (isBlocking === true && severity === "error") || rule === "templates-root",
  );
  for (const { message, hint, at } of blocking) {
    const place = [at?.file, at?.line, at?.column].filter((part) => part !== undefined).join(":");
    output.note([place, message].filter((part) => part !== "").join(": "));
    if (hint !== undefined) output.note(hint);
  }
  return blocking.length > 0;
}
