import type { Problem } from "../../src/preview/contract.js";
import type { Keys } from "../palette/all-keys.js";
import { useCommands } from "../palette/commands.js";
import type { BottomTab } from "../state/view.js";
import { changeView, currentView } from "../state/view-store.js";
import { announce } from "../ui/notice.js";
import type { Tab } from "../ui/tabs.js";
import { chooseProblem, indexOfShown } from "./problems/chosen.js";
import { bySeverity } from "./problems/severity.js";

const group = "Findings";

const keys: Readonly<Record<BottomTab, Keys>> = {
  problems: "p",
  links: "g l",
  images: "g m",
  clients: "g c",
  size: "g z",
  variables: "g v",
  remote: "g r",
};

interface Panel {
  readonly isOpen: boolean;
  toggle(): void;
  readonly problems: readonly Problem[];
}

export const usePanelCommands = (tabs: readonly Tab<BottomTab>[], panel: Panel): void => {
  const { isOpen, problems } = panel;
  useCommands([
    {
      id: "findings",
      title: isOpen ? "Close findings" : "Open findings",
      group,
      keys: "mod+j",
      run: () => panel.toggle(),
    },
    ...tabs.map(({ id, label }) => ({
      id: `findings-${id}`,
      title: `Show ${label.toLowerCase()}`,
      group,
      keys: keys[id],
      run: () => {
        changeView({ bottom: id });
        // The panel is rendered first.
        requestAnimationFrame(() => document.getElementById(`findings-${id}-tab`)?.focus());
      },
    })),
    { id: "next-problem", title: "Go to the next problem", group, keys: "n", run: () => goTo(problems, 1) },
    {
      id: "previous-problem",
      title: "Go to the previous problem",
      group,
      keys: "shift+n",
      run: () => goTo(problems, -1),
    },
  ]);
};

const goTo = (problems: readonly Problem[], step: 1 | -1): void => {
  // In the order of the list.
  const listed = bySeverity(problems);
  const at = indexOfShown(listed, currentView());
  const next = listed[at < 0 ? (step > 0 ? 0 : listed.length - 1) : (at + step + listed.length) % listed.length];
  if (!next) return announce("There are no problems");
  changeView({ bottom: "problems" });
  chooseProblem(next);
  announce(next.message);
};
