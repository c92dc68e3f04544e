import { FileQuestionMark, ServerOff } from "lucide-react";
import type { ReactNode } from "react";
import { useProject, useSummary, useTemplate } from "../state/data.js";
import { addressOf, useView } from "../state/view-store.js";
import { EmptyState } from "../ui/empty-state.js";
import { BuildFailureBar, BuildFailureState } from "./build-failure.js";
import styles from "./template-state.module.css";

/** The chosen template, or what stands in its place: there is none of that name, it never compiled, it did not come. */
export const TemplateState = ({ children }: { readonly children: ReactNode }) => {
  const { template } = useView();
  const { templates } = useProject();
  const summary = useSummary();
  const { detail, trouble } = useTemplate();
  if (template !== undefined && !summary)
    return <NoSuchTemplate name={template} all={templates.map(({ name }) => name)} />;
  if (!detail)
    return trouble === undefined ? (
      children
    ) : (
      <EmptyState icon={ServerOff} title={`${template} did not load`}>
        {trouble}
      </EmptyState>
    );
  if (!detail.failure) return children;
  if (!detail.compiled) return <BuildFailureState detail={detail} failure={detail.failure} />;
  return (
    <>
      <BuildFailureBar detail={detail} failure={detail.failure} />
      <div className={styles.stale}>{children}</div>
    </>
  );
};

const NoSuchTemplate = ({ name, all }: { readonly name: string; readonly all: readonly string[] }) => {
  const near = all.filter((other) => other.startsWith(name.slice(0, 3))).slice(0, 3);
  return (
    <EmptyState icon={FileQuestionMark} title={`There is no template “${name}”`}>
      <p>It may have been renamed or removed. Choose one from the list.</p>
      {near.length > 0 && (
        <p>
          Did you mean{" "}
          {near.map((other, at) => (
            <span key={other}>
              {at > 0 && (at === near.length - 1 ? " or " : ", ")}
              <a href={addressOf({ template: other })}>{other}</a>
            </span>
          ))}
          ?
        </p>
      )}
    </EmptyState>
  );
};
