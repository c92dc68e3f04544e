import { memo, type MouseEvent } from "react";
import { CircleX, Info, type LucideIcon, TriangleAlert } from "lucide-react";
import type { TemplateSummary } from "../../src/preview/contract.js";
import { addressOf, changeView } from "../state/view-store.js";
import { classes } from "../ui/classes.js";
import { Highlight, MiddleCut, within, Spoken, visible } from "../ui/text.js";
import { useIsUnsaved } from "../variables/unsaved.js";
import type { Hit } from "./search.js";
import { byWorst, countsInWords, sumOf, toneOf } from "../state/counts.js";
import { Badge, type Tone } from "../ui/badge.js";
import type { View } from "../state/view.js";
import styles from "./sidebar.module.css";

const engineNames = { mjml: "MJML", react: "React", html: "HTML" };

/** Shown in place of a missing subject. Only a template that never compiled says that it does not compile. */
const missingSubject = ({ state, failure }: TemplateSummary): string => {
  if (state === "pending") return "Compiling";
  return failure === undefined ? "No subject" : "Does not compile yet";
};

/** A line with the template's name. A rich row looks like an email in an inbox, with subject and preview text. */
export const TemplateRow = memo(
  ({
    hit,
    prefix,
    isRich,
    level,
    isChosen,
    tabIndex,
  }: {
    readonly hit: Hit;
    /** The beginning of the name that the group's row already shows. */
    readonly prefix: string;
    /** Whether it also shows how the email begins. */
    readonly isRich: boolean;
    readonly level: number;
    readonly isChosen: boolean;
    readonly tabIndex: number;
  }) => {
    const { template, snippet } = hit;
    const { name, engine, subject, preheader, fixtures, isCompiling, failure } = template;
    const own = prefix.length;
    const begins = preheader || failure || "\u00a0";
    const isUnsaved = useIsUnsaved(name, fixtures);
    const isShowing = isChosen && fixtures.length > 0;
    return (
      <a
        role="treeitem"
        aria-level={level}
        aria-selected={isChosen}
        aria-expanded={fixtures.length > 0 ? isShowing : undefined}
        tabIndex={tabIndex}
        data-key={name}
        href={addressOf({ screen: "template", template: name })}
        className={classes(styles.template, level > 1 && styles.nested)}
        onClick={choose({ screen: "template", template: name })}
      >
        <span className={styles.head}>
          <span className={styles.who}>
            <span className={styles.name} title={isRich || subject === "" ? name : `${name}\n${visible(subject)}`}>
              <MiddleCut text={name.slice(own)} whole={name} ranges={within(hit.name, own, name.length)} />
            </span>
            <span className={styles.engine}>{isCompiling ? "Compiling…" : engine && engineNames[engine]}</span>
          </span>
          {isUnsaved && <UnsavedMark />}
          <FindingMark template={template} />
        </span>
        {isRich && (
          <>
            <span title={visible(subject)} className={classes(styles.subject, subject === "" && styles.missing)}>
              <Spoken>, subject: </Spoken>
              {subject === "" ? missingSubject(template) : <Highlight text={subject} ranges={hit.subject} />}
            </span>
            {/* Hidden from screen readers, to keep the row's accessible name short. */}
            <span
              title={snippet ? undefined : visible(begins.trim())}
              aria-hidden={snippet === undefined && failure === undefined}
              className={styles.preheader}
            >
              {snippet ? (
                <Highlight text={snippet.text} ranges={snippet.ranges} />
              ) : (
                <Highlight text={begins} ranges={preheader === "" ? [] : hit.preheader} />
              )}
            </span>
          </>
        )}
      </a>
    );
  },
);

const icons: Readonly<Partial<Record<Tone, LucideIcon>>> = { error: CircleX, warning: TriangleAlert };

/** The number of findings of the worst severity, and of all others. */
const FindingMark = ({ template: { state, findings } }: { readonly template: TemplateSummary }) => {
  if (state === "broken")
    return (
      <Badge tone="error">
        <CircleX size={12} aria-hidden />
        <Spoken>, </Spoken>
        Broken
      </Badge>
    );
  return byWorst(findings ?? {}).map((counts, at) => {
    const tone = toneOf(counts);
    const Icon = icons[tone] ?? Info;
    return (
      <Badge key={tone} tone={tone}>
        {at === 0 && <Icon size={12} aria-hidden />}
        <span aria-hidden title={countsInWords(counts)}>
          {at > 0 && "+"}
          {sumOf(counts)}
        </span>
        <Spoken>, {countsInWords(counts)}</Spoken>
      </Badge>
    );
  });
};

/** A plain click changes the view. With a modifier key, the browser opens the link elsewhere, as usual. */
export const choose =
  (change: Partial<View>) =>
  (event: MouseEvent): void => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    changeView(change);
  };

/** Marks a template or fixture with unsaved edits to its variables. */
export const UnsavedMark = () => (
  <span role="img" aria-label="Unsaved changes" title="Unsaved changes" className={styles.unsaved} />
);
