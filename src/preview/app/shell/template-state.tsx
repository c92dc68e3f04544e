import { FileQuestionMark, LoaderCircle, ServerOff } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import type { TemplateSummary } from "../../contract.js";
import { Words } from "../panels/words.js";
import { useProject, useSummary, useTemplate } from "../state/data.js";
import { addressOf, useView } from "../state/view-store.js";
import { classes } from "../ui/classes.js";
import { EmptyState } from "../ui/empty-state.js";
import { BuildFailureBar, BuildFailureState } from "./build-failure.js";
import styles from "./template-state.module.css";

/** The chosen template, under a word where compiling it takes long. */
export const TemplateState = ({ children }: { readonly children: ReactNode }) => (
  <>
    <CompilingBar />
    <ShownTemplate>{children}</ShownTemplate>
  </>
);

/** From then on, it is most likely code that does not end. */
const LONG_MS = 2_000;
/** As `modules/host.ts` has it. */
const MOST_SECONDS = 30;

const CompilingBar = () => {
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
    <div role="status" className={isCompiling ? styles.compiling : undefined}>
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
    ? `The fixture ${largeFixture.name} has ${largeFixture.megabytes} MB: shorten it.`
    : "Look for an endless loop, or for a promise that never settles.";
  return `Compiling ${name} takes long, and is ended after ${MOST_SECONDS} seconds. ${cause}`;
}

/** What stands in its place: there is none of that name, it never compiled, it did not come. */
const ShownTemplate = ({ children }: { readonly children: ReactNode }) => {
  const { template } = useView();
  const summary = useSummary();
  const { detail, trouble } = useTemplate();
  if (template !== undefined && !summary) return <NoSuchTemplate name={template} />;
  if (!detail && trouble !== undefined)
    return (
      <EmptyState icon={ServerOff} title={`Couldn’t load ${template}`}>
        <Words text={trouble} />
      </EmptyState>
    );
  const { failure } = detail ?? {};
  if (detail && failure && !detail.compiled) return <BuildFailureState detail={detail} failure={failure} />;
  // In one place, whether it compiles or not: the email stays, and with it how far it was scrolled.
  return (
    <>
      {detail && failure && <BuildFailureBar detail={detail} failure={failure} />}
      <div className={classes(styles.shown, failure && styles.stale)}>{children}</div>
    </>
  );
};

const NoSuchTemplate = ({ name }: { readonly name: string }) => {
  const { templates } = useProject();
  const near = nearTo(
    name,
    templates.map((template) => template.name),
  );
  // Renamed by half, as when only its folder has another name.
  const failure = templates.find((template) => template.name === near[0])?.failure;
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
      {failure !== undefined && <p>{failure}</p>}
    </EmptyState>
  );
};

/** Those that begin alike, the most alike first. */
const nearTo = (name: string, all: readonly string[]): readonly string[] => {
  const alike = (other: string) => {
    const end = Array.from(name).findIndex((letter, at) => letter !== other[at]);
    return end < 0 ? name.length : end;
  };
  return all
    .filter((other) => alike(other) >= Math.min(3, name.length))
    .toSorted((a, b) => alike(b) - alike(a))
    .slice(0, 3);
};
