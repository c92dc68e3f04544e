import { ChevronRight, CircleCheck, Search, SearchX } from "lucide-react";
import { memo, type ReactNode, useDeferredValue, useState } from "react";
import type { Problem, TemplateReport } from "../../src/preview/contract.js";
import { Bar, Space } from "../ui/bar.js";
import { EmptyState } from "../ui/empty-state.js";
import { TextInput, Segmented, type Option } from "../ui/field.js";
import { LoadingRows, useRows } from "./rows.js";
import { filterProblems } from "./report.js";
import { type Counts, countsOf, severities, sumOf, toneOf } from "../state/counts.js";
import { useProject, useReport } from "../state/data.js";
import { useView } from "../state/view-store.js";
import { Badge } from "../ui/badge.js";
import { MiddleCut } from "../ui/text.js";
import { isPointedAt, pluralNames, ProblemRow, useChosenProblem } from "./problem-row.js";
import styles from "./problems.module.css";

/**
 * The project's own problems, then those of each template. A template's problems load when its group is opened or
 * searched.
 */
const ProjectProblems = ({ filter }: { readonly filter: string }) => {
  const { problems, templates } = useProject();
  const { template } = useView();
  const own = filterProblems(problems, filter);
  const others = templates.filter(({ findings, state }) => state === "broken" || sumOf(findings) > 0);
  if (problems.length + others.length === 0) {
    return (
      <EmptyState icon={CircleCheck} title="No problems">
        No template in this project has a problem.
      </EmptyState>
    );
  }
  return (
    <>
      <div className={styles.groups}>
        {own.length > 0 && (
          <Group title="Project" isOpen counts={countsOf(own)}>
            <ProblemList problems={own} />
          </Group>
        )}
        {others.map(({ name, findings = {} }) =>
          filter === "" ? (
            <Group key={name} title={name} isOpen={name === template} counts={findings}>
              <ProblemsOf name={name} />
            </Group>
          ) : (
            <SearchedGroup key={name} name={name} filter={filter} />
          ),
        )}
      </div>
      <div className={styles.nothing}>
        <NothingFound filter={filter} />
      </div>
    </>
  );
};

const useProjectCount = (): number => {
  const { problems, templates } = useProject();
  return templates.reduce((sum, { findings }) => sum + sumOf(findings), problems.length);
};

const ProblemsOf = ({ name }: { readonly name: string }) => {
  const report = useReport(name);
  return report ? <ProblemList problems={report.problems} /> : <LoadingRows />;
};

const SearchedGroup = ({ name, filter }: { readonly name: string; readonly filter: string }) => {
  const report = useReport(name);
  const matches = report && filterProblems(report.problems, filter);
  if (matches?.length === 0) return null;
  return (
    <Group title={name} isOpen counts={matches ? countsOf(matches) : {}}>
      {matches ? <ProblemList problems={matches} /> : <LoadingRows />}
    </Group>
  );
};

type Of = "template" | "project";

export const ProblemsTab = ({ report }: { readonly report: TemplateReport }) => {
  const [of, setOf] = useState<Of>("template");
  const [filter, setFilter] = useState("");
  const wanted = useDeferredValue(filter.trim());
  const rows = useRows();
  const ofProject = useProjectCount();
  const choices: readonly Option<Of>[] = [
    { value: "template", label: "Template" },
    { value: "project", label: `Project · ${ofProject.toLocaleString("en-GB")}` },
  ];
  return (
    <>
      <Bar label="Problem tools">
        <span className={styles.filter}>
          <Search size={14} aria-hidden />
          <TextInput
            type="search"
            aria-label="Filter problems"
            placeholder="Filter"
            value={filter}
            onChange={(event) => setFilter(event.target.value)}
          />
        </span>
        <Space />
        <Segmented label="Show problems of" value={of} options={choices} onChange={(next) => setOf(next)} />
      </Bar>
      <div {...rows} className="fill scroll">
        {of === "project" ? <ProjectProblems filter={wanted} /> : <TemplateProblems report={report} filter={wanted} />}
      </div>
    </>
  );
};

const TemplateProblems = ({ report, filter }: { readonly report: TemplateReport; readonly filter: string }) => {
  const { problems, isPartial } = report;
  if (problems.length === 0) {
    return isPartial ? (
      <LoadingRows />
    ) : (
      <EmptyState icon={CircleCheck} title="No problems">
        This template passed every rule.
      </EmptyState>
    );
  }
  const matches = filterProblems(problems, filter);
  if (matches.length === 0) return <NothingFound filter={filter} />;
  return <ProblemGroups problems={matches} />;
};

const NothingFound = ({ filter }: { readonly filter: string }) => (
  <EmptyState icon={SearchX} title={`No problems match "${filter}"`}>
    The filter searches messages, hints, rules and files.
  </EmptyState>
);

const ProblemGroups = ({ problems }: { readonly problems: readonly Problem[] }) =>
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
const Group = ({
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
        <ChevronRight size={14} aria-hidden className="turns" />
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

const ProblemList = memo(({ problems }: { readonly problems: readonly Problem[] }) => {
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
            isShown={isPointedAt(problem, { source, place }, chosen)}
          />
        );
      })}
    </ul>
  );
});
