import type { ProjectState } from "../../preview/contract.js";
import type { Output } from "../output.js";

/** Says what keeps templates, or all of them, from being loaded. Whether there is such a thing. */
export function noteTroubles({ problems }: ProjectState, output: Output): boolean {
  const blocking = problems.filter(
    // On the page, a missing folder is a beginning; who asks for files of it gets none.
    ({ isBlocking, severity, rule }) => (isBlocking === true && severity === "error") || rule === "templates-root",
  );
  for (const { message, hint, at } of blocking) {
    const place = [at?.file, at?.line, at?.column].filter((part) => part !== undefined).join(":");
    output.note([place, message].filter((part) => part !== "").join(": "));
    if (hint !== undefined) output.note(hint);
  }
  return blocking.length > 0;
}
