import { BookOpen, ChevronRight, FileCode, ScanSearch, SquarePen } from "lucide-react";
import { memo, useEffect, useRef, useState } from "react";
import type { Problem } from "../../../src/preview/contract.js";
import { classes } from "../../ui/classes.js";
import { openEditor, placeInWords, showElement, showSource } from "../show.js";
import { actionProps, rowProps } from "../use-rows.js";
import { Words, MiddleCut, CodeFrame } from "../../ui/text.js";
import { chooseProblem } from "./chosen.js";
import { SeverityMark } from "../../ui/badge.js";
import { CopyButton } from "../../ui/copy.js";
import { Dialog } from "../../ui/dialog.js";
import { useOfProject, useSource } from "../../state/data.js";
import { Button } from "../../ui/button.js";
import styles from "./problems.module.css";

const pages = import.meta.glob<string>("../../../docs/rules/*.md", {
  query: "?raw",
  import: "default",
  eager: true,
});

/** The documentation of a rule in Markdown, without its title. */
const rulePage = (page: string): string | undefined => pages[`../../../docs/rules/${page}`]?.replace(/^# .*\n+/, "");

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

/** A rule's page: what it finds, why that matters, how to fix it and how to silence it. */
const RuleDialog = ({
  rule,
  page,
  isOpen,
  onClose,
}: {
  readonly rule: string;
  readonly page: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}) => (
  <Dialog title={rule} isOpen={isOpen} onClose={onClose}>
    {isOpen && (
      <div className={styles.page}>
        {(rulePage(page) ?? "").split(/\n{2,}/).map((block, at) => (
          <Block key={at} text={block.trim()} />
        ))}
      </div>
    )}
  </Dialog>
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
      <Words text={text} hasLinks />
    </p>
  );
};

/** A problem's details and the actions for it. */
const ProblemDetails = ({
  problem: { hint, at, frame, place, rule },
  onAbout,
}: {
  readonly problem: Problem;
  /** Shows the rule's page. Undefined if it has none. */
  readonly onAbout: (() => void) | undefined;
}) => {
  const can = useOfProject((project) => project.can);
  const source = useSource();
  const details = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // In braces, because some browsers return a promise.
    details.current?.scrollIntoView({ block: "nearest" });
  }, []);
  const where = at && [at.file, at.line, at.column].filter((part) => part !== undefined).join(":");
  return (
    <div ref={details} className={styles.details}>
      {hint && (
        <p className={styles.hint}>
          <Words text={hint} isHint />
        </p>
      )}
      {frame && frame.length > 0 && (
        <CodeFrame lines={frame} {...(at?.column !== undefined && { column: at.column })} />
      )}
      <p className={styles.actions}>
        {where && <code className={styles.where}>{where}</code>}
        {where && <CopyButton text={where} what="Place" />}
        {at && !at.isNoFile && (
          <Button kind="quiet" icon={FileCode} onClick={() => showSource(at, place)}>
            Show in source
          </Button>
        )}
        {at && can.openEditor && !at.isNoFile && (
          <Button kind="quiet" icon={SquarePen} onClick={() => openEditor(source, at)}>
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
