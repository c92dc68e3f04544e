import { ChevronRight } from "lucide-react";
import { useState } from "react";
import { valuesOf } from "../../src/mustache/lookup.js";
import type { ComputedReport, TemplateReport, VariableReport, VariableUse } from "../../src/preview/contract.js";
import { resultsInWords } from "../../src/project/computed-source.js";
import { Badge } from "../ui/badge.js";
import { classes } from "../ui/classes.js";
import { NoVariables } from "../variables/form/form.js";
import { useFilled } from "../variables/filled.js";
import { actionProps, rowProps, useRows } from "./rows.js";
import { placeText, showElement, showSource, wholePlaceText } from "./show.js";
import styles from "./variables.module.css";

export const VariablesTab = ({ report: { variables, computed } }: { readonly report: TemplateReport }) => {
  const rows = useRows();
  if (variables.length + computed.length === 0) return <NoVariables />;
  const holders = holdersOf(variables);
  const derives = variables.some(({ isDerived }) => isDerived);
  return (
    <div {...rows} className="scroll">
      <ul>
        {variables.map((variable) => (
          <Variable key={variable.path} variable={variable} isHolder={holders.has(variable.path)} derives={derives} />
        ))}
      </ul>
      {computed.length > 0 && <ComputedValues computed={computed} />}
    </div>
  );
};

/** The values that are computed, with their results for what the view shows. */
const ComputedValues = ({ computed }: { readonly computed: readonly ComputedReport[] }) => {
  const { variables = {} } = useFilled();
  return (
    <>
      <h2 className={styles.heading}>Computed</h2>
      <ul>
        {computed.map((each) => (
          <ComputedValue key={each.name} computed={each} results={resultsInWords(valuesOf(variables, each))} />
        ))}
      </ul>
    </>
  );
};

const ComputedValue = ({
  computed: { source, at, uses },
  results,
}: {
  readonly computed: ComputedReport;
  readonly results: string;
}) => {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <li data-row-of>
      <div className={styles.computed}>
        <button
          type="button"
          {...rowProps}
          aria-expanded={isOpen}
          className={styles.variable}
          onClick={() => setIsOpen(!isOpen)}
        >
          <ChevronRight size={14} aria-hidden className="turns" />
          <code className={styles.source} title={source}>
            {source}
          </code>
          <span className={styles.results} title={results}>
            {results}
          </span>
        </button>
        <button
          type="button"
          {...actionProps}
          className={styles.place}
          title={wholePlaceText(at)}
          onClick={() => showSource(at)}
        >
          {placeText(at)}
        </button>
      </div>
      {isOpen && <Uses uses={uses} />}
    </li>
  );
};

/** Objects and lists with members that tags use. */
const holdersOf = (variables: readonly VariableReport[]): ReadonlySet<string> =>
  new Set(
    variables
      .filter(({ uses }) => uses.length > 0)
      .flatMap(({ path }) => Array.from(path.matchAll(/[.[]/g), ({ index }) => path.slice(0, index))),
  );

const Variable = ({
  variable: { path, type, isRequired, isDerived, uses },
  isHolder,
  derives,
}: {
  readonly variable: VariableReport;
  readonly isHolder: boolean;
  readonly derives: boolean;
}) => {
  const [isOpen, setIsOpen] = useState(false);
  const isUsed = uses.length > 0;
  return (
    <li data-row-of>
      <button
        type="button"
        {...rowProps}
        aria-expanded={isUsed ? isOpen : undefined}
        className={styles.variable}
        onClick={() => isUsed && setIsOpen(!isOpen)}
      >
        <ChevronRight size={14} aria-hidden className={classes("turns", !isUsed && styles.absent)} />
        <Path path={path} />
        <span className="cut soft">{type}</span>
        {isDerived && <Badge tone="accent">derived</Badge>}
        {!isRequired && !isDerived && <Badge>optional</Badge>}
        {uses.some(({ kind, part }) => kind === "raw" && part === "html") && (
          <Badge tone="warning">unescaped in HTML</Badge>
        )}
        <span className={styles.uses}>
          {isUsed ? usedIn(uses) : isHolder ? "through its properties" : derives && !isDerived ? MAYBE : "unused"}
        </span>
      </button>
      {isOpen && isUsed && <Uses uses={uses} />}
    </li>
  );
};

const Uses = ({ uses }: { readonly uses: readonly VariableUse[] }) => (
  <ul className={styles.list}>
    {uses.map((use, at) => (
      <li key={at} data-row-of>
        <Use use={use} />
      </li>
    ))}
  </ul>
);

/** What a `derive` function reads is unknown. */
const MAYBE = "maybe used by derive";

/** A variable's path, with its parents in a lighter colour. */
const Path = ({ path }: { readonly path: string }) => {
  const own = path.lastIndexOf(".") + 1;
  return (
    <code className={styles.path} title={path}>
      <span className={styles.holder}>{path.slice(0, own)}</span>
      {path.slice(own)}
    </code>
  );
};

const partNames = { subject: "subject", html: "HTML", text: "text", computed: "computed" } as const;
const parts = ["subject", "html", "text", "computed"] as const;

const usedIn = (uses: readonly VariableUse[]): string =>
  parts
    .flatMap((part) => {
      const count = uses.filter((use) => use.part === part).length;
      if (count === 0) return [];
      return [count === 1 ? partNames[part] : `${partNames[part]} ×${count}`];
    })
    .join(", ");

const Use = ({ use }: { readonly use: VariableUse }) => {
  const { part, tag, at, place } = use;
  return (
    <button
      type="button"
      {...rowProps}
      className={styles.use}
      onClick={() => (place === undefined && at ? showSource(at) : showElement(place))}
    >
      <span className={styles.part}>{partNames[part]}</span>
      <code className="cut">{tag}</code>
      <KindMark use={use} />
      {at && (
        <span className={styles.at} title={at.file}>
          {placeText(at)}
        </span>
      )}
    </button>
  );
};

/** Subject and text are not escaped. */
const KindMark = ({ use: { kind, part } }: { readonly use: VariableUse }) => {
  if (kind === "computed") return undefined;
  if (kind === "section") return <Badge>section</Badge>;
  if (part !== "html") return <Badge>plain text</Badge>;
  return kind === "raw" ? <Badge tone="warning">raw</Badge> : <Badge tone="good">escaped</Badge>;
};
