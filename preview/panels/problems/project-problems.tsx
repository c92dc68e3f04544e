import { CircleCheck } from "lucide-react";
import { countsOf, sumOf } from "../../state/counts.js";
import { useProject, useReport } from "../../state/data.js";
import { useView } from "../../state/view-store.js";
import { EmptyState } from "../../ui/empty-state.js";
import { Loading } from "../loading.js";
import { matching } from "./matching.js";
import { NothingFound } from "./nothing-found.js";
import { Group, ProblemList } from "./problem-groups.js";
import styles from "./problems.module.css";

/**
 * The project's own problems, then those of each template. A template's problems load when its group is opened or
 * searched.
 */
export const ProjectProblems = ({ filter }: { readonly filter: string }) => {
  const { problems, templates } = useProject();
  const { template } = useView();
  const own = matching(problems, filter);
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

export const useProjectCount = (): number => {
  const { problems, templates } = useProject();
  return templates.reduce((sum, { findings }) => sum + sumOf(findings), problems.length);
};

const ProblemsOf = ({ name }: { readonly name: string }) => {
  const report = useReport(name);
  return report ? <ProblemList problems={report.problems} /> : <Loading />;
};

const SearchedGroup = ({ name, filter }: { readonly name: string; readonly filter: string }) => {
  const report = useReport(name);
  const matches = report && matching(report.problems, filter);
  if (matches?.length === 0) return null;
  return (
    <Group title={name} isOpen counts={matches ? countsOf(matches) : {}}>
      {matches ? <ProblemList problems={matches} /> : <Loading />}
    </Group>
  );
};
