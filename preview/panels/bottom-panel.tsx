import { LoaderCircle, PanelBottomClose, PanelBottomOpen } from "lucide-react";
import type { TemplateReport } from "../../src/preview/contract.js";
import { useOfProject, useSummary } from "../state/data.js";
import type { BottomTab } from "../state/view.js";
import { changeView, useView } from "../state/view-store.js";
import { Badge } from "../ui/badge.js";
import { Bar, Space } from "../ui/bar.js";
import { IconButton } from "../ui/button.js";
import { EmptyState } from "../ui/empty-state.js";
import { Spoken } from "../ui/spoken.js";
import { tabPanel, Tabs } from "../ui/tabs.js";
import styles from "./bottom-panel.module.css";
import { ClientsTab } from "./clients-tab.js";
import { ImagesTab } from "./images-tab.js";
import { LinksTab } from "./links-tab.js";
import { Loading } from "./loading.js";
import { ProblemsTab } from "./problems/problems-tab.js";
import { RemoteTab } from "./remote-tab.js";
import { SizeTab } from "./size-tab.js";
import { type FindingsTab, tabsOf } from "./tabs-of.js";
import { useFollowedPlace } from "./use-followed-place.js";
import { usePanelCommands } from "./use-panel-commands.js";
import { useShownReport } from "./use-shown-report.js";
import { VariablesTab } from "./variables-tab.js";

const base = "findings";

/** The template's findings: a bar of tabs and the open tab. */
export const BottomPanel = () => {
  const { bottom, template } = useView();
  const can = useOfProject((project) => project.can);
  const report = useShownReport();
  useFollowedPlace(report);
  const isGone = useSummary() === undefined && template !== undefined;
  const tabs = isGone ? tabsOf(undefined, can).map(withoutCount) : tabsOf(report, can);
  const isOpen = bottom !== undefined;
  const toggle = () => changeView({ bottom: isOpen ? undefined : "problems" });
  usePanelCommands(tabs, { isOpen, toggle, problems: report?.problems ?? none });

  return (
    <div className={styles.panel}>
      <Bar>
        <Tabs
          base={base}
          label="Findings"
          tabs={tabs}
          value={bottom}
          onChange={(id) => changeView({ bottom: id })}
          onClose={() => changeView({ bottom: undefined })}
        >
          {({ id }) => <Found found={tabs.find((tab) => tab.id === id)?.found} />}
        </Tabs>
        <Space />
        <p role="status" className={styles.checking}>
          {report?.isPartial && (
            <>
              <LoaderCircle size={14} aria-hidden className={styles.turning} />
              <span>Checking…</span>
            </>
          )}
        </p>
        <IconButton
          icon={isOpen ? PanelBottomClose : PanelBottomOpen}
          label={isOpen ? "Close findings" : "Open findings"}
          keys="mod+j"
          onClick={toggle}
        />
      </Bar>
      {bottom && (
        <div {...tabPanel(base, bottom)} key={`${template} ${bottom}`} className={styles.content}>
          {isGone ? (
            <EmptyState title="Nothing to show">Select a template from the list.</EmptyState>
          ) : (
            <Content tab={bottom} report={report} />
          )}
        </div>
      )}
    </div>
  );
};

const none: TemplateReport["problems"] = [];

/** Without reserved space for a count, because none will come. */
const withoutCount = ({ id, label }: FindingsTab): FindingsTab => ({ id, label });

const Found = ({ found }: Pick<FindingsTab, "found">) => {
  if (!found) return null;
  return (
    <span className={styles.found}>
      {found.map(({ count, tone, words }) => (
        <Badge key={tone} tone={tone}>
          {words === undefined ? (
            count
          ) : (
            <>
              <span aria-hidden title={words}>
                {count}
              </span>
              <Spoken>{words}</Spoken>
            </>
          )}
        </Badge>
      ))}
    </span>
  );
};

const Content = ({ tab, report }: { readonly tab: BottomTab; readonly report: TemplateReport | undefined }) => {
  if (tab === "remote") return <RemoteTab />;
  if (!report) return <Loading />;
  const Shown = tabContents[tab];
  return <Shown report={report} />;
};

const tabContents = {
  problems: ProblemsTab,
  links: LinksTab,
  images: ImagesTab,
  clients: ClientsTab,
  size: SizeTab,
  variables: VariablesTab,
};
