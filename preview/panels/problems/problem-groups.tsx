import { ChevronRight } from "lucide-react";
import { memo, type ReactNode, useState } from "react";
import type { Problem } from "../../../src/preview/contract.js";
import { type Counts, severities, toneOf } from "../../state/counts.js";
import { useView } from "../../state/view-store.js";
import { Badge } from "../../ui/badge.js";
import { MiddleCut } from "../../ui/middle-cut.js";
import { isShown, useChosenProblem } from "./chosen.js";
import { ProblemRow } from "./problem-row.js";
import styles from "./problems.module.css";
import { pluralNames } from "./severity.js";

/** Problems by severity, the worst first. */
export const ProblemGroups = ({ problems }: { readonly problems: readonly Problem[] }) =>
  severities.map((severity) => {
    const own = problems.filter((problem) => problem.severity === severity);
    if (own.length === 0) return null;
    return (
      <Group key={severity} title={pluralNames[severity]} isOpen counts={{ [severity]: own.length }}>
        <ProblemList problems={own} />
      </Group>
    );
  });

/** Problems below a heading that can hide them. The list is rendered when it is first opened. */
export const Group = ({
  title,
  isOpen,
  counts,
  children,
}: {
  readonly title: string;
  readonly isOpen: boolean;
  readonly counts: Counts;
  readonly children: ReactNode;
}) => {
  const [wasOpened, setWasOpened] = useState(isOpen);
  return (
    <details
      open={isOpen}
      className={styles.group}
      onToggle={({ currentTarget }) => currentTarget.open && setWasOpened(true)}
    >
      <summary className={styles.heading}>
        <ChevronRight size={14} aria-hidden />
        <h2 title={title}>
          <MiddleCut text={title} />
        </h2>
        {severities.map((severity) => {
          const count = counts[severity] ?? 0;
          return (
            count > 0 && (
              <Badge key={severity} tone={toneOf({ [severity]: count })}>
                {count}
              </Badge>
            )
          );
        })}
      </summary>
      {wasOpened && children}
    </details>
  );
};

export const ProblemList = memo(({ problems }: { readonly problems: readonly Problem[] }) => {
  const { source, place } = useView();
  const chosen = useChosenProblem();
  const seen = new Map<string, number>();
  return (
    <ul>
      {problems.map((problem) => {
        const name = [problem.template, problem.rule, problem.message, problem.at?.file].join("\n");
        const times = seen.get(name) ?? 0;
        seen.set(name, times + 1);
        return (
          <ProblemRow
            key={`${name}\n${times}`}
            problem={problem}
            isShown={isShown(problem, { source, place }, chosen)}
          />
        );
      })}
    </ul>
  );
});
