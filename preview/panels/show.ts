import type { Problem } from "../../src/preview/contract.js";
import type { Source } from "../data/source.js";
import { useOfProject, useSource } from "../state/data.js";
import type { View } from "../state/view.js";
import { changeView, currentView } from "../state/view-store.js";
import { notifyError } from "../ui/notice.js";

type SourcePlace = NonNullable<Problem["at"]>;

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

/** Opens a place in the user's editor. Undefined if the page cannot. */
export const useEditor = (): ((at: SourcePlace) => void) | undefined => {
  const can = useOfProject((project) => project.can);
  const source = useSource();
  return can.openEditor ? (at) => openEditor(source, at) : undefined;
};

/** `templates/receipt.mjml:12:5` */
export const wholePlaceText = ({ file, line, column }: SourcePlace): string =>
  [file, line, column].filter((part) => part !== undefined).join(":");

/** `receipt.mjml:12` */
export const placeText = ({ file, line }: SourcePlace): string =>
  `${file.slice(file.lastIndexOf("/") + 1)}${line === undefined ? "" : `:${line}`}`;
