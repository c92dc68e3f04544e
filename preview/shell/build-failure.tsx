import { CircleX } from "lucide-react";
import type { BuildFailure, TemplateDetail } from "../../src/preview/contract.js";
import { ProblemText } from "./problem-text.js";
import styles from "./template-state.module.css";

interface Props {
  readonly detail: TemplateDetail;
  readonly failure: BuildFailure;
}

/** Shown above the last version that compiled. */
export const BuildFailureBar = ({ detail, failure }: Props) => (
  <section role="alert" aria-label="Compile error" className={styles.failure}>
    <Failure detail={detail} failure={failure} note="Showing the last version that compiled." />
  </section>
);

/** Shown if no version has ever compiled. */
export const BuildFailureState = ({ detail, failure }: Props) => (
  <div className={styles.whole}>
    <section role="alert" aria-label="Compile error" className={styles.sheet}>
      <Failure detail={detail} failure={failure} note="The email shows up here once it compiles." />
    </section>
  </div>
);

const Failure = ({ detail, failure, note }: Props & { readonly note: string }) => {
  const [first, ...others] = failure.problems;
  return (
    <>
      <header className={styles.head}>
        <CircleX size={16} aria-hidden />
        <h2>
          {detail.name} does not compile <span className={styles.note}>{note}</span>
        </h2>
      </header>
      <div className={styles.problems}>
        {first && <ProblemText problem={first} />}
        {others.length > 0 && (
          <details className={styles.more}>
            <summary>{others.length === 1 ? "1 more problem" : `${others.length} more problems`}</summary>
            {others.map((problem, at) => (
              <ProblemText key={at} problem={problem} />
            ))}
          </details>
        )}
      </div>
    </>
  );
};
