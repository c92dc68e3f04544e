import { ChevronRight, CircleX, Info, type LucideIcon, TriangleAlert } from "lucide-react";
import { memo } from "react";
import type { TemplateSummary } from "../../src/preview/contract.js";
import { byWorst, countsInWords, sumOf, toneOf } from "../state/counts.js";
import { linkTo } from "../state/view-store.js";
import { Badge, type Tone } from "../ui/badge.js";
import { classes } from "../ui/classes.js";
import { Highlight, MiddleCut, Spoken, visible, rangesWithin } from "../ui/text.js";
import { useIsUnsaved } from "../variables/unsaved.js";
import type { SidebarRow } from "./rows.js";
import styles from "./sidebar.module.css";

type RowProps<Kind extends SidebarRow["kind"]> = Omit<Extract<SidebarRow, { readonly kind: Kind }>, "kind"> & {
  readonly tabIndex: number;
};

const engineNames = { mjml: "MJML", react: "React", html: "HTML" };

/** Shown in place of a missing subject. Only a template that never compiled says that it does not compile. */
const missingSubject = ({ state, failure }: TemplateSummary): string => {
  if (state === "pending") return "Compiling";
  return failure === undefined ? "No subject" : "Does not compile yet";
};

/** A line with the template's name. A rich row looks like an email in an inbox, with subject and preview text. */
export const TemplateRow = memo(
  ({
    id: name,
    hit,
    prefix,
    isRich,
    level,
    isChosen,
    tabIndex,
  }: RowProps<"template"> & {
    /** Whether it also shows how the email begins. */
    readonly isRich: boolean;
    readonly isChosen: boolean;
  }) => {
    const { template, snippet } = hit;
    const { engine, subject, preheader, fixtures, isCompiling, failure } = template;
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
        {...linkTo({ screen: "template", template: name })}
        className={classes(styles.template, level > 1 && styles.nested)}
      >
        <span className={styles.head}>
          <span className={styles.who}>
            <span className={styles.name} title={isRich || subject === "" ? name : `${name}\n${visible(subject)}`}>
              <MiddleCut text={name.slice(own)} whole={name} ranges={rangesWithin(hit.name, own, name.length)} />
            </span>
            <span className="small">{isCompiling ? "Compiling…" : engine && engineNames[engine]}</span>
          </span>
          {isUnsaved && <UnsavedMark />}
          <FindingMark template={template} />
        </span>
        {isRich && (
          <>
            <span title={visible(subject)} className={classes("cut", subject === "" && styles.missing)}>
              <Spoken>, subject: </Spoken>
              {subject === "" ? missingSubject(template) : <Highlight text={subject} ranges={hit.subject} />}
            </span>
            {/* Hidden from screen readers, to keep the row's accessible name short. */}
            <span
              title={snippet ? undefined : visible(begins.trim())}
              aria-hidden={snippet === undefined && failure === undefined}
              className="cut soft"
            >
              <Highlight {...(snippet ?? { text: begins, ranges: preheader === "" ? [] : hit.preheader })} />
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

/** Marks a template or fixture with unsaved edits to its variables. */
const UnsavedMark = () => (
  <span role="img" aria-label="Unsaved changes" title="Unsaved changes" className={styles.unsaved} />
);

export const GroupRow = memo(
  ({
    id,
    prefix,
    count,
    isOpen,
    tabIndex,
    onToggle,
  }: RowProps<"group"> & { readonly onToggle: (prefix: string) => void }) => (
    <div
      role="treeitem"
      aria-level={1}
      aria-expanded={isOpen}
      tabIndex={tabIndex}
      data-key={id}
      className={styles.group}
      onClick={() => onToggle(prefix)}
      onKeyDown={(event) => {
        if (event.key === "Enter") onToggle(prefix);
      }}
    >
      <ChevronRight size={14} aria-hidden className="turns" />
      <span className={styles.prefix}>{prefix}</span>
      <span className="figure">
        <Spoken>, </Spoken>
        {count}
        <Spoken> templates</Spoken>
      </span>
    </div>
  ),
);

export const FixtureRow = memo(
  ({
    id,
    template,
    name,
    isBroken,
    level,
    isChosen,
    tabIndex,
  }: RowProps<"fixture"> & { readonly isChosen: boolean }) => {
    const isUnsaved = useIsUnsaved(template, [name]);
    return (
      <a
        role="treeitem"
        aria-level={level}
        aria-selected={isChosen}
        aria-label={isBroken ? `Fixture ${name}, broken` : `Fixture ${name}`}
        aria-description={isUnsaved ? "Unsaved changes" : undefined}
        tabIndex={tabIndex}
        data-key={id}
        {...linkTo({ fixture: name })}
        className={styles.fixture}
      >
        <span className={styles.fixtureName} title={name}>
          <MiddleCut text={name} />
        </span>
        {isUnsaved && <UnsavedMark />}
        {isBroken && (
          <Badge tone="error">
            <CircleX size={12} aria-hidden />
          </Badge>
        )}
      </a>
    );
  },
);
