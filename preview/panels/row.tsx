import { FileCode, SquarePen } from "lucide-react";
import type { ReactNode } from "react";
import type { TemplateReport } from "../../src/preview/contract.js";
import { useOfProject, useSource } from "../state/data.js";
import { useView } from "../state/view-store.js";
import { IconButton } from "../ui/button.js";
import { MiddleCut } from "../ui/text.js";
import { classes } from "../ui/classes.js";
import { openEditor, placeInWords, showElement, showSource } from "./show.js";
import { actionProps, rowProps } from "./use-rows.js";
import styles from "./table.module.css";

/** A table row about an element of the email. Its first cell is a button that highlights the element. */
export const ElementRow = ({
  place,
  first,
  children,
}: {
  readonly place: number | undefined;
  readonly first: ReactNode;
  readonly children: ReactNode;
}) => {
  const view = useView();
  const isShown = place !== undefined && view.place === place;
  return (
    <tr data-row-of className={classes(styles.row, isShown && styles.shown)}>
      <td>
        <button
          type="button"
          {...rowProps}
          aria-current={isShown || undefined}
          className={styles.cover}
          onClick={() => showElement(isShown ? undefined : place)}
        >
          {first}
        </button>
      </td>
      {children}
    </tr>
  );
};

/** Where an element was written, with buttons to go there. */
export const WhereCell = ({
  places,
  place,
}: {
  readonly places: TemplateReport["places"];
  readonly place: number | undefined;
}) => {
  const can = useOfProject((project) => project.can);
  const source = useSource();
  const at = place === undefined ? undefined : places[place];
  return (
    <td className={styles.where}>
      {at && (
        <span className={styles.actions}>
          <span title={at.file} className={styles.place}>
            <MiddleCut text={placeInWords(at)} />
          </span>
          <IconButton {...actionProps} icon={FileCode} label="Show in source" onClick={() => showSource(at, place)} />
          {can.openEditor && (
            <IconButton
              {...actionProps}
              icon={SquarePen}
              label="Open in editor"
              onClick={() => openEditor(source, at)}
            />
          )}
        </span>
      )}
    </td>
  );
};
