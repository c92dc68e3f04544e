import { CloudOff, RefreshCw } from "lucide-react";
import { Bar, Space } from "../ui/bar.js";
import { Button } from "../ui/button.js";
import { EmptyState } from "../ui/empty-state.js";
import { Environment } from "./environment.js";
import { Loading } from "./loading.js";
import styles from "./remote.module.css";
import { type Remote, useRemote } from "./use-remote.js";
import { Words } from "./words.js";

/** The template's state in each environment, requested when the tab opens. */
export const RemoteTab = () => {
  const remote = useRemote();
  const { isAsking, ask } = remote;
  return (
    <>
      <Bar label="Remote tools">
        <p role="status" className={styles.status}>
          {statusOf(remote)}
        </p>
        <Space />
        <Button icon={RefreshCw} disabled={isAsking} onClick={ask}>
          Refresh
        </Button>
      </Bar>
      <Environments remote={remote} />
    </>
  );
};

const statusOf = ({ isAsking, isOld, reports }: Remote): string => {
  if (isAsking) return "Checking environments…";
  if (!reports) return "";
  return isOld
    ? "This may be out of date. Refresh to compare again."
    : "The deployed version, compared with the one compiled here.";
};

const Environments = ({ remote: { reports, trouble } }: { readonly remote: Remote }) => {
  if (trouble !== undefined) {
    return (
      <EmptyState icon={CloudOff} title="Couldn't check the environments">
        <Words text={trouble} />
      </EmptyState>
    );
  }
  if (!reports) return <Loading />;
  if (reports.length === 0) {
    return (
      <EmptyState icon={CloudOff} title="No environments">
        Add one to lettershop.config.ts to compare this template with the version deployed there.
      </EmptyState>
    );
  }
  return (
    <ul className={styles.environments}>
      {reports.map((report) => (
        <Environment key={report.environment} report={report} />
      ))}
    </ul>
  );
};
