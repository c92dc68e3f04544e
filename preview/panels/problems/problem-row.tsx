import { ChevronRight } from "lucide-react";
import { memo, useEffect, useRef, useState } from "react";
import type { Problem } from "../../../src/preview/contract.js";
import { classes } from "../../ui/classes.js";
import { placeInWords } from "../show.js";
import { actionProps, rowProps } from "../use-rows.js";
import { Words } from "../words.js";
import { chooseProblem } from "./chosen.js";
import { ProblemDetails } from "./problem-details.js";
import styles from "./problems.module.css";
import { RuleDialog } from "./rule-dialog.js";
import { rulePage } from "./rule-pages.js";
import { MiddleCut } from "../../ui/middle-cut.js";
import { SeverityMark } from "../../ui/severity-mark.js";

/** One problem. The selected one is open, and its element is highlighted in the email. */
export const ProblemRow = memo(({ problem, isShown }: { readonly problem: Problem; readonly isShown: boolean }) => {
  const { severity, message, rule, at, page } = problem;
  const [isOpenByHand, setIsOpenByHand] = useState<boolean>();
  const isOpen = isOpenByHand ?? isShown;
  const hasPage = page !== undefined && rulePage(page) !== undefined;
  const [isPageOpen, setIsPageOpen] = useState(false);
  const openPage = hasPage ? () => setIsPageOpen(true) : undefined;
  const item = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (!isShown) return;
    setIsOpenByHand(undefined);
    bringToTop(item.current);
  }, [isShown]);
  return (
    <li ref={item} data-row-of className={classes(styles.item, isShown && styles.shown, isOpen && styles.open)}>
      <div className={styles.row}>
        <button
          type="button"
          tabIndex={-1}
          aria-expanded={isOpen}
          aria-label={at ? `Details: ${rule} at ${placeInWords(at)}` : `Details: ${rule}`}
          className={styles.disclose}
          onClick={() => setIsOpenByHand(!isOpen)}
        >
          <ChevronRight size={14} aria-hidden className={classes(isOpen && styles.turned)} />
        </button>
        <button
          type="button"
          {...rowProps}
          aria-current={isShown || undefined}
          className={styles.main}
          onClick={() => (isShown ? setIsOpenByHand(!isOpen) : chooseProblem(problem))}
        >
          <SeverityMark severity={severity} />
          <span className={styles.message} title={isOpen ? undefined : message}>
            <Words text={message} />
          </span>
          {at && (
            <span className={styles.place} title={at.file}>
              <MiddleCut text={placeInWords(at)} />
            </span>
          )}
        </button>
        {openPage ? (
          <button
            type="button"
            {...actionProps}
            className={classes(styles.rule, styles.opens)}
            title={`About ${rule}`}
            onClick={openPage}
          >
            {rule}
          </button>
        ) : (
          <span className={styles.rule} title={rule}>
            {rule}
          </span>
        )}
      </div>
      {isOpen && <ProblemDetails problem={problem} onAbout={openPage} />}
      {hasPage && <RuleDialog rule={rule} page={page} isOpen={isPageOpen} onClose={() => setIsPageOpen(false)} />}
    </li>
  );
});

/** Scrolls no further than needed. An item that does not fit starts at the top. */
const bringToTop = (item: HTMLElement | null): void => {
  const group = item?.closest("details");
  const panel = item?.closest("[role=tabpanel]");
  if (!item || !group || !panel) return;
  group.open = true;
  item.scrollIntoView({ block: item.offsetHeight > panel.clientHeight / 2 ? "start" : "nearest" });
};
