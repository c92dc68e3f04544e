import { FileCode, SquarePen } from "lucide-react";
import { type FocusEvent, type KeyboardEvent, type ReactNode, type RefObject, useEffect, useRef } from "react";
import type { RowProblem, TemplateReport } from "../../src/preview/contract.js";
import { useOfProject, useSource } from "../state/data.js";
import { useView } from "../state/view-store.js";
import { IconButton } from "../ui/button.js";
import { MiddleCut } from "../ui/middle-cut.js";
import { classes } from "../ui/classes.js";
import { openEditor, placeInWords, showElement, showSource } from "./show.js";
import styles from "./table.module.css";
import { countsOf, toneOf } from "../state/counts.js";
import { Badge } from "../ui/badge.js";
import { SeverityMark } from "../ui/severity-mark.js";
import { Words } from "../ui/words.js";
import { Skeleton } from "../ui/skeleton.js";
import { Spoken } from "../ui/spoken.js";

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

/** The row's problems: one line each, and the whole message in the selected row. */
export const ProblemCell = ({ problems }: { readonly problems: readonly RowProblem[] }) => (
  <td>
    {problems.map(({ severity, message }, at) => (
      <p key={message} className={styles.problem} title={message}>
        <SeverityMark severity={severity} />
        <span>
          <Words text={message} />
        </span>
        {at === 0 && problems.length > 1 && (
          <b className={styles.more}>
            <Badge tone={toneOf(countsOf(problems.slice(1)))}>+{problems.length - 1}</Badge>
          </b>
        )}
      </p>
    ))}
  </td>
);

/** Text with its Mustache tags highlighted. */
export const Tagged = ({ text }: { readonly text: string }) => (
  <>
    {text.split(/(\{\{[^}]*\}\}\}?)/).map((part, at) =>
      at % 2 === 1 ? (
        <span key={at} className={styles.tag}>
          {part}
        </span>
      ) : (
        part
      ),
    )}
  </>
);

const widths = ["46%", "62%", "38%", "54%"];

/** Placeholder rows while data is loading. */
export const Loading = () => (
  <div role="status" className={styles.loading}>
    <Spoken>Loading</Spoken>
    {widths.map((width) => (
      <Skeleton key={width} width={width} />
    ))}
  </div>
);

/** Props of the element that represents a row: arrow keys move between rows, and Tab reaches one of them. */
export const rowProps = { "data-row": true, tabIndex: -1 } as const;
/** Props of a row's other actions: the right arrow key reaches them. */
export const actionProps = { "data-action": true, tabIndex: -1 } as const;

interface Rows {
  readonly ref: RefObject<HTMLDivElement | null>;
  onKeyDown(event: KeyboardEvent): void;
  onFocus(event: FocusEvent): void;
}

/**
 * Makes the rows in an element a single tab stop. The right and left arrow keys open and close a row that is a
 * disclosure.
 */
export const useRows = (): Rows => {
  const ref = useRef<HTMLDivElement>(null);
  const all = () => [...(ref.current?.querySelectorAll<HTMLElement>("[data-row]") ?? [])];
  const makeStop = (row: HTMLElement | undefined) => {
    if (!row) return;
    for (const other of ref.current?.querySelectorAll<HTMLElement>("[data-row][tabindex='0']") ?? [])
      other.tabIndex = -1;
    row.tabIndex = 0;
  };
  useEffect(() => {
    const stop = ref.current?.querySelector<HTMLElement>("[data-row][tabindex='0']");
    if (!stop || !isVisible(stop)) makeStop(all().find(isVisible));
  });
  return {
    ref,
    onFocus: ({ target }) => {
      if (target instanceof HTMLElement && target.matches("[data-row]")) makeStop(target);
    },
    onKeyDown: (event) => {
      if (!(event.target instanceof HTMLElement) || event.altKey || event.ctrlKey || event.metaKey) return;
      const { key, target } = event;
      if (!target.matches("[data-row], [data-action]")) return;
      const next =
        key === "ArrowRight" || key === "ArrowLeft"
          ? sideways(target, key)
          : target.matches("[data-row]") && upOrDown(all().filter(isVisible), target, key);
      if (!next) return;
      event.preventDefault();
      if (next !== target) {
        next.focus();
        next.scrollIntoView({ block: "nearest" });
      }
    },
  };
};

/** Doesn't ask the browser, which would have to lay out what is scrolled out of view. */
const isVisible = (element: HTMLElement): boolean => !element.closest("details:not([open])");

const upOrDown = (rows: readonly HTMLElement[], target: HTMLElement, key: string): HTMLElement | undefined => {
  const at = rows.indexOf(target);
  if (key === "ArrowDown") return rows[at + 1];
  if (key === "ArrowUp") return rows[at - 1];
  if (key === "Home") return rows[0];
  return key === "End" ? rows.at(-1) : undefined;
};

/** Moves to the next control in the row. A disclosure is opened or closed first. */
const sideways = (target: HTMLElement, key: "ArrowRight" | "ArrowLeft"): HTMLElement | undefined => {
  const row = target.closest("[data-row-of]");
  const disclosure = row?.querySelector<HTMLElement>("[aria-expanded]");
  const isOpen = disclosure?.getAttribute("aria-expanded") === "true";
  const stops = [...(row?.querySelectorAll<HTMLElement>("[data-row], [data-action]") ?? [])];
  const at = stops.indexOf(target);
  const isRow = target.matches("[data-row]");
  if (disclosure && isRow && isOpen === (key === "ArrowLeft")) {
    disclosure.click();
    return target;
  }
  return key === "ArrowRight" ? stops[at + 1] : isRow ? undefined : stops[at - 1];
};
