import type { Problem } from "../../contract.js";
import type { View } from "../state/view.js";

/** Whether a problem is what the view points at. */
export const isShown = ({ at, place }: Problem, view: Pick<View, "source" | "place">): boolean =>
  at !== undefined &&
  at.file === view.source?.file &&
  at.line === view.source.line &&
  at.column === view.source.column &&
  place === view.place;
