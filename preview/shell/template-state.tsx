import { CircleX, FileQuestionMark, LoaderCircle, ServerOff } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import type { BuildFailure, TemplateDetail, TemplateSummary } from "../../src/preview/contract.js";
import { MessageText } from "../ui/text.js";
import { counted } from "../state/counts.js";
import { useProject, useSummary, useTemplate } from "../state/data.js";
import { addressOf, useView } from "../state/view-store.js";
import { classes } from "../ui/classes.js";
import { EmptyState } from "../ui/empty-state.js";
import { ProblemText } from "./notices.js";
import notices from "./notices.module.css";
import styles from "./template-state.module.css";

/** Compiling longer than this in ms most likely means code that never ends. */
const LONG_MS = 2_000;
/** Same value as in `process/host.ts`. */
const MOST_SECONDS = 30;

/** Shown while the selected template compiles. */
export const CompilingBar = () => {
  const summary = useSummary();
  const isCompiling = summary?.isCompiling === true;
  const [isLong, setIsLong] = useState(false);
  useEffect(() => {
    if (!isCompiling) return undefined;
    const timer = setTimeout(() => setIsLong(true), LONG_MS);
    return () => {
      clearTimeout(timer);
      setIsLong(false);
    };
  }, [isCompiling, summary?.name]);
  return (
    <div role="status" className={isCompiling ? classes(notices.bar, styles.compiling, "soft") : undefined}>
      {isCompiling && (
        <>
          <LoaderCircle size={14} aria-hidden />
          <p>
            {isLong ? longWords(summary) : `Compiling ${summary.name}…`}
            {summary.state !== "pending" && " Showing the last version that compiled."}
          </p>
        </>
      )}
    </div>
  );
};

function longWords({ name, largeFixture }: TemplateSummary): string {
  const cause = largeFixture
    ? `The fixture ${largeFixture.name} is ${largeFixture.megabytes} MB. Shorten it.`
    : "Look for an endless loop or a promise that never settles.";
  return `Compiling ${name} is taking long and will be stopped after ${MOST_SECONDS} seconds. ${cause}`;
}

/** Shows why there is no template to show: no such name, never compiled, or not loaded. */
export const ShownTemplate = ({ children }: { readonly children: ReactNode }) => {
  const { template } = useView();
  const summary = useSummary();
  const { detail, trouble } = useTemplate();
  if (template !== undefined && !summary) return <NoSuchTemplate name={template} />;
  if (!detail && trouble !== undefined)
    return (
      <EmptyState icon={ServerOff} title={`Couldn't load ${template}`}>
        <MessageText text={trouble} />
      </EmptyState>
    );
  const { failure } = detail ?? {};
  if (detail && failure && !detail.compiled)
    return (
      <div className={styles.whole}>
        <Failure detail={detail} failure={failure} />
      </div>
    );
  // In the same position whether it compiles or not, so that the email keeps its scroll position.
  return (
    <>
      {detail && failure && <Failure detail={detail} failure={failure} />}
      <div className={classes(styles.shown, failure && styles.stale)}>{children}</div>
    </>
  );
};

const NoSuchTemplate = ({ name }: { readonly name: string }) => {
  const { templates } = useProject();
  const near = nearTo(name, templates);
  // The template may be half renamed, for example if only its folder has the new name.
  const failure = near[0]?.failure;
  return (
    <EmptyState icon={FileQuestionMark} title={`There is no template "${name}"`}>
      <p>It may have been renamed or removed. Choose one from the list.</p>
      {near.length > 0 && (
        <p>
          Did you mean{" "}
          {near.map(({ name: other }, at) => (
            <span key={other}>
              {at > 0 && (at === near.length - 1 ? " or " : ", ")}
              <a href={addressOf({ template: other })}>{other}</a>
            </span>
          ))}
          ?
        </p>
      )}
      {failure !== undefined && <p>{failure}</p>}
    </EmptyState>
  );
};

/** Templates whose names have the same beginning, the longest common beginning first. */
const nearTo = (name: string, templates: readonly TemplateSummary[]): readonly TemplateSummary[] => {
  const alike = ({ name: other }: TemplateSummary) => {
    const end = Array.from(name).findIndex((letter, at) => letter !== other[at]);
    return end < 0 ? name.length : end;
  };
  return templates
    .filter((other) => alike(other) >= Math.min(3, name.length))
    .toSorted((a, b) => alike(b) - alike(a))
    .slice(0, 3);
};

/** Shown above the last version that compiled, or alone if no version has ever compiled. */
const Failure = ({
  detail: { name, compiled },
  failure: { problems },
}: {
  readonly detail: TemplateDetail;
  readonly failure: BuildFailure;
}) => {
  const [first, ...others] = problems;
  return (
    <section role="alert" aria-label="Compile error" className={compiled ? styles.failure : styles.sheet}>
      <header className={styles.head}>
        <CircleX size={16} aria-hidden />
        <h2>
          {name} does not compile{" "}
          <span className={styles.note}>
            {compiled ? "Showing the last version that compiled." : "The email shows up here once it compiles."}
          </span>
        </h2>
      </header>
      <div className={styles.problems}>
        {first && <ProblemText problem={first} />}
        {others.length > 0 && (
          <details className={styles.more}>
            <summary className={styles.summary}>{counted(others.length, "more problem")}</summary>
            {others.map((problem, at) => (
              <ProblemText key={at} problem={problem} />
            ))}
          </details>
        )}
      </div>
    </section>
  );
};
