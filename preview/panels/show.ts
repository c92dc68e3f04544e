import type { Problem } from "../../src/preview/contract.js";
import type { Source } from "../data/source.js";
import type { View } from "../state/view.js";
import { changeView, currentView } from "../state/view-store.js";
import { notifyError } from "../ui/notice.js";

type SourcePlace = NonNullable<Problem["at"]>;

/** Highlights an element of the email. */
export const showElement = (place: number | undefined): void => {
  const { mode } = currentView();
  changeView({ place, mode: mode === "html" ? mode : "rendered" });
};

/** Highlights the problem's element in the email, and its line if sources are shown. The view's mode stays. */
export const pointAt = ({ at, place, template }: Problem): void => {
  const isElsewhere = template !== undefined && template !== currentView().template;
  changeView({ ...(isElsewhere && { template }), source: at && sourceOf(at), place });
};

/** Shows a line of a source and highlights its element too. */
export const showSource = (at: SourcePlace, place?: number): void =>
  changeView({ mode: "source", source: sourceOf(at), place });

const sourceOf = ({ file, line, column }: SourcePlace): NonNullable<View["source"]> => ({
  file,
  ...(line !== undefined && { line }),
  ...(column !== undefined && { column }),
});

export const openEditor = (source: Source, at: SourcePlace): void => {
  source.openEditor(at).catch(notifyError);
};

/** `receipt.mjml:12` */
export const placeText = ({ file, line }: SourcePlace): string =>
  `${file.slice(file.lastIndexOf("/") + 1)}${line === undefined ? "" : `:${line}`}`;
