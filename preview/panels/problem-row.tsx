import { BookOpen, ChevronRight, FileCode, ScanSearch, SquarePen } from "lucide-react";
import { memo, useEffect, useRef, useState } from "react";
import type { Problem } from "../../src/preview/contract.js";
import { classes } from "../ui/classes.js";
import { placeText, pointAt, showElement, showSource, useEditor, wholePlaceText } from "./show.js";
import { actionProps, rowProps } from "./rows.js";
import { MessageText, MiddleCut, CodeFrame } from "../ui/text.js";
import { SeverityMark } from "../ui/badge.js";
import { CopyButton } from "../ui/copy.js";
import { Dialog } from "../ui/dialog.js";
import { Button } from "../ui/button.js";
import { ObservableStore } from "../state/stores.js";
import type { View } from "../state/view.js";
import type { Severity } from "../../src/diagnostic.js";
import { severities } from "../state/counts.js";
import styles from "./problems.module.css";

const pages = import.meta.glob<string>("../../docs/rules/*.md", {
  query: "?raw",
  import: "default",
  eager: true,
});

/** The documentation of a rule in Markdown, without its title. */
const rulePage = (page: string): string | undefined => pages[`../../docs/rules/${page}`]?.replace(/^# .*\n+/, "");

/** One problem. The selected one is open, and its element is highlighted in the email. */
export const ProblemRow = memo(({ problem, isShown }: { readonly problem: Problem; readonly isShown: boolean }) => {
  const { severity, message, rule, at, page } = problem;
  const [isOpenByHand, setIsOpenByHand] = useState<boolean>();
  const isOpen = isOpenByHand ?? isShown;
  const [isPageOpen, setIsPageOpen] = useState(false);
  const documentation = page === undefined ? undefined : rulePage(page);
  const openPage = documentation === undefined ? undefined : () => setIsPageOpen(true);
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
          aria-label={at ? `Details: ${rule} at ${placeText(at)}` : `Details: ${rule}`}
          className={styles.disclose}
          onClick={() => setIsOpenByHand(!isOpen)}
        >
          <ChevronRight size={14} aria-hidden className="turns" />
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
            <MessageText text={message} />
          </span>
          {at && (
            <span className={styles.place} title={at.file}>
              <MiddleCut text={placeText(at)} />
            </span>
          )}
        </button>
        {openPage ? (
          <button type="button" {...actionProps} className={styles.opens} title={`About ${rule}`} onClick={openPage}>
            {rule}
          </button>
        ) : (
          <span className={styles.rule} title={rule}>
            {rule}
          </span>
        )}
      </div>
      {isOpen && <ProblemDetails problem={problem} onAbout={openPage} />}
      {documentation !== undefined && (
        <Dialog title={rule} isOpen={isPageOpen} onClose={() => setIsPageOpen(false)}>
          <RulePage text={documentation} />
        </Dialog>
      )}
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

/** A rule's page: what it finds, why that matters, how to fix it and how to silence it. */
const RulePage = ({ text }: { readonly text: string }) => (
  <div className={styles.page}>
    {text.split(/\n{2,}/).map((block, at) => (
      <Block key={at} text={block.trim()} />
    ))}
  </div>
);

/** One block of a page: a heading, a paragraph, code or a table. */
const Block = ({ text }: { readonly text: string }) => {
  if (text.startsWith("## ")) return <h3>{text.slice(3)}</h3>;
  if (text.startsWith("|")) return <pre tabIndex={0}>{text}</pre>;
  if (text.startsWith("```")) {
    const code = text.replace(/^```.*\n|\n?```$/g, "");
    return (
      <div className={styles.code}>
        <pre tabIndex={0}>{code}</pre>
        <CopyButton text={code} what="Code" />
      </div>
    );
  }
  return (
    <p>
      <MessageText text={text} hasLinks />
    </p>
  );
};

const ProblemDetails = ({
  problem: { hint, at, frame, place, rule },
  onAbout,
}: {
  readonly problem: Problem;
  /** Shows the rule's page. Undefined if it has none. */
  readonly onAbout: (() => void) | undefined;
}) => {
  const edit = useEditor();
  const details = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // In braces, because some browsers return a promise.
    details.current?.scrollIntoView({ block: "nearest" });
  }, []);
  const where = at && wholePlaceText(at);
  return (
    <div ref={details} className={styles.details}>
      {hint && (
        <p className={styles.hint}>
          <MessageText text={hint} isHint />
        </p>
      )}
      <CodeFrame lines={frame} column={at?.column} />
      <p className={styles.actions}>
        {where && <code>{where}</code>}
        {where && <CopyButton text={where} what="Place" />}
        {at && !at.isNoFile && (
          <Button kind="quiet" icon={FileCode} onClick={() => showSource(at, place)}>
            Show in source
          </Button>
        )}
        {at && edit && !at.isNoFile && (
          <Button kind="quiet" icon={SquarePen} onClick={() => edit(at)}>
            Open in editor
          </Button>
        )}
        {place !== undefined && (
          <Button kind="quiet" icon={ScanSearch} onClick={() => showElement(place)}>
            Show in email
          </Button>
        )}
        {onAbout && (
          <Button kind="quiet" icon={BookOpen} className={styles.about} onClick={onAbout}>
            About {rule}
          </Button>
        )}
      </p>
    </div>
  );
};

type Pointer = Pick<View, "source" | "place">;

/** The selected problem. The URL alone cannot distinguish several problems in one place, or those without a place. */
const chosen = new ObservableStore<Problem | undefined>(undefined);

export const chooseProblem = (problem: Problem): void => {
  chosen.set(problem);
  pointAt(problem);
};

export const useChosenProblem = (): Problem | undefined => chosen.use();

export const isPointedAt = (problem: Problem, view: Pointer, last: Problem | undefined): boolean => {
  if (!isAt(problem, view)) return false;
  if (last !== undefined && nameOf(problem) === nameOf(last)) return true;
  const hasPlace = problem.at !== undefined || problem.place !== undefined;
  return hasPlace && !(last !== undefined && isAt(last, view));
};

/** The index of the selected problem, or -1. */
export const selectedIndex = (problems: readonly Problem[], view: Pointer): number => {
  const last = chosen.get();
  // Two problems can have the same message and place.
  const own = last !== undefined && isAt(last, view) ? problems.indexOf(last) : -1;
  return own < 0 ? problems.findIndex((problem) => isPointedAt(problem, view, last)) : own;
};

/** While a template is checked again, its element numbers are unknown. */
const isAt = ({ at, place }: Problem, view: Pointer): boolean =>
  at?.file === view.source?.file &&
  at?.line === view.source?.line &&
  at?.column === view.source?.column &&
  (place === view.place || (place === undefined && at !== undefined));

const nameOf = ({ template, rule, message }: Problem): string => [template, rule, message].join("\n");

export const bySeverity = (problems: readonly Problem[]): readonly Problem[] =>
  severities.flatMap((severity) => problems.filter((problem) => problem.severity === severity));

export const pluralNames: Readonly<Record<Severity, string>> = { error: "Errors", warning: "Warnings", info: "Notes" };
