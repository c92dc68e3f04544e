import { CircleCheck, Search } from "lucide-react";
import { useDeferredValue, useState } from "react";
import type { TemplateReport } from "../../../src/preview/contract.js";
import { Bar, Space } from "../../ui/bar.js";
import { EmptyState } from "../../ui/empty-state.js";
import { Input } from "../../ui/field.js";
import { Segmented, type SegmentedOption } from "../../ui/segmented.js";
import { Loading } from "../loading.js";
import { useRows } from "../use-rows.js";
import { matching } from "./matching.js";
import { NothingFound } from "./nothing-found.js";
import { ProblemGroups } from "./problem-groups.js";
import styles from "./problems.module.css";
import { ProjectProblems, useProjectCount } from "./project-problems.js";

type Of = "template" | "project";

export const ProblemsTab = ({ report }: { readonly report: TemplateReport }) => {
  const [of, setOf] = useState<Of>("template");
  const [filter, setFilter] = useState("");
  const wanted = useDeferredValue(filter.trim());
  const rows = useRows();
  const ofProject = useProjectCount();
  const choices: readonly SegmentedOption<Of>[] = [
    { value: "template", label: "Template" },
    { value: "project", label: `Project · ${ofProject.toLocaleString("en-GB")}` },
  ];
  return (
    <>
      <Bar label="Problem tools">
        <span className={styles.filter}>
          <Search size={14} aria-hidden />
          <Input
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
      <div {...rows} className={styles.list}>
        {of === "project" ? <ProjectProblems filter={wanted} /> : <TemplateProblems report={report} filter={wanted} />}
      </div>
    </>
  );
};

const TemplateProblems = ({ report, filter }: { readonly report: TemplateReport; readonly filter: string }) => {
  const { problems, isPartial } = report;
  if (problems.length === 0) {
    return isPartial ? (
      <Loading />
    ) : (
      <EmptyState icon={CircleCheck} title="No problems">
        This template passed every rule.
      </EmptyState>
    );
  }
  const matches = matching(problems, filter);
  if (matches.length === 0) return <NothingFound filter={filter} />;
  return <ProblemGroups problems={matches} />;
};
