import { useOfProject, useSource, useSummary } from "../state/data.js";
import { OWN_VERSION, versionOf } from "../state/view.js";
import { currentView } from "../state/view-store.js";
import { notify } from "../ui/notice.js";
import { compare, compareWithDeployed } from "./panes.js";

export interface Comparison {
  readonly id: string;
  readonly title: string;
  readonly run: () => void;
}

/** What the view's template can be compared with. */
export function useComparisons(): readonly Comparison[] {
  const { name = "", fixtures = [] } = useSummary() ?? {};
  const seeCommits = useOfProject(({ can }) => can.seeCommits);
  const environments = useOfProject(({ can, environments: all }) => (can.seeRemote ? all : none));
  const source = useSource();
  const withCommits = (show: (commits: Awaited<ReturnType<typeof source.commits>>) => void) => {
    source.commits(name).then(show, (error: unknown) => {
      notify(`Couldn't read the commits: ${error instanceof Error ? error.message : String(error)}`, "error");
    });
  };
  return [
    ...when(fixtures.length > 1, {
      id: "fixtures",
      title: "Compare two fixtures",
      run: () => compareFixtures(fixtures),
    }),
    ...when(
      seeCommits,
      {
        id: "last-commit",
        title: "Compare with the last commit",
        run: () =>
          withCommits(({ last }) => {
            if (last) compare(versionOf(OWN_VERSION), versionOf(`commit:${last.hash}`));
            else notify("Nothing has been committed yet.", "error");
          }),
      },
      {
        id: "two-commits",
        title: "Compare two commits",
        run: () =>
          withCommits(({ ofTemplate: [newer, older] }) => {
            if (newer && older) compare(versionOf(`commit:${newer.hash}`), versionOf(`commit:${older.hash}`));
            else notify(`Fewer than two commits have changed ${name}.`, "error");
          }),
      },
    ),
    ...environments
      .filter(({ hasKey }) => hasKey)
      .map((environment) => ({
        id: `deployed-${environment.name}`,
        title: `Compare with the version deployed to ${environment.name}`,
        run: () => compareWithDeployed(environment.name),
      })),
  ];
}

const none = [] as const;

function when(isOffered: boolean, ...comparisons: readonly Comparison[]): readonly Comparison[] {
  return isOffered ? comparisons : none;
}

/** Shows the view's fixture next to the one after it. */
function compareFixtures(fixtures: readonly string[]): void {
  const { fixture = "default" } = currentView();
  const chosen = Math.max(0, fixtures.indexOf(fixture));
  compare({ fixture: undefined }, { fixture: fixtures[(chosen + 1) % fixtures.length] });
}
