import { ChevronRight } from "lucide-react";
import { useState } from "react";
import type { TemplateReport, VariableReport, VariableUse } from "../../src/preview/contract.js";
import { Badge } from "../ui/badge.js";
import { classes } from "../ui/classes.js";
import { NoVariables } from "../variables/form/form.js";
import { placeText, showElement, showSource } from "./show.js";
import { rowProps, useRows } from "./rows.js";
import styles from "./variables.module.css";

export const VariablesTab = ({ report: { variables } }: { readonly report: TemplateReport }) => {
  const rows = useRows();
  if (variables.length === 0) return <NoVariables />;
  const holders = holdersOf(variables);
  const derives = variables.some(({ isDerived }) => isDerived);
  return (
    <div {...rows} className="scroll">
      <ul>
        {variables.map((variable) => (
          <Variable key={variable.path} variable={variable} isHolder={holders.has(variable.path)} derives={derives} />
        ))}
      </ul>
    </div>
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
      {isOpen && isUsed && (
        <ul className={styles.list}>
          {uses.map((use, at) => (
            <li key={at} data-row-of>
              <Use use={use} />
            </li>
          ))}
        </ul>
      )}
    </li>
  );
};

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

const partNames = { subject: "subject", html: "HTML", text: "text" } as const;
const parts = ["subject", "html", "text"] as const;

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
  if (kind === "section") return <Badge>section</Badge>;
  if (part !== "html") return <Badge>plain text</Badge>;
  return kind === "raw" ? <Badge tone="warning">raw</Badge> : <Badge tone="good">escaped</Badge>;
};
