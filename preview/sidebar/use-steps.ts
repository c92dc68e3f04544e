import type { TemplateSummary } from "../../src/preview/contract.js";
import { useCommands } from "../palette/commands.js";
import { changeView, useView } from "../state/view-store.js";

const stepped = (all: readonly string[], current: string | undefined, step: 1 | -1): string | undefined => {
  const at = current === undefined ? -1 : all.indexOf(current);
  return all[(at + step + all.length) % all.length];
};

/** Commands that step through the listed templates and through the selected template's fixtures. */
export const useSteps = (listed: readonly TemplateSummary[]): void => {
  const { template, fixture } = useView();
  const names = listed.map(({ name }) => name);
  const fixtures = listed.find(({ name }) => name === template)?.fixtures ?? [];
  const toTemplate = (step: 1 | -1) => {
    const name = stepped(names, template, step);
    if (name !== undefined) changeView({ template: name });
  };
  const toFixture = (step: 1 | -1) => {
    const name = stepped(fixtures, fixture ?? fixtures[0], step);
    if (name !== undefined) changeView({ fixture: name });
  };
  const group = "Templates";
  useCommands([
    { id: "next-template", title: "Next template", group, keys: "j", run: () => toTemplate(1) },
    { id: "previous-template", title: "Previous template", group, keys: "k", run: () => toTemplate(-1) },
    { id: "next-fixture", title: "Next fixture", group, keys: "shift+j", run: () => toFixture(1) },
    { id: "previous-fixture", title: "Previous fixture", group, keys: "shift+k", run: () => toFixture(-1) },
  ]);
};
