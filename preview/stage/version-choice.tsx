import { useEffect } from "react";
import type { Commit, TemplateCommits } from "../../src/preview/contract.js";
import { useOfProject, useProject, useReport, useSource, useVersion } from "../state/data.js";
import { OWN_VERSION, type Pane, versionOf, versionWord } from "../state/view.js";
import { useView } from "../state/view-store.js";
import { Field } from "../ui/field.js";
import { Select, type SelectOption } from "../ui/select.js";
import { visible } from "../ui/visible.js";
import { KeyedStore } from "../state/stores.js";

interface Props {
  readonly pane: Pane;
  readonly onChange: (change: Partial<Pane>) => void;
}

/** Chooses the version of the email and the email client. */
export function VersionChoice({ pane, onChange }: Props) {
  const { seeRemote, seeCommits } = useProject().can;
  const { kind } = useSource();
  const { clients: { clients } = { clients: [] } } = useReport() ?? {};
  return (
    <>
      {(seeRemote || seeCommits) && (
        <Field label="Version">{(control) => <VersionSelect {...{ control, pane, onChange }} />}</Field>
      )}
      {kind !== "copy" && (
        <Field label="As an email client shows it">
          {(control) => (
            <Select
              control={control}
              value={pane.client ?? USUAL}
              options={[
                { value: USUAL, label: "As a browser shows it" },
                ...clients.map(({ id, name }) => ({ value: id, label: name })),
              ]}
              onChange={(client) => onChange({ client: client === USUAL ? undefined : client })}
            />
          )}
        </Field>
      )}
    </>
  );
}

const USUAL = "";

/** Chooses the project's own version, a commit's or an environment's. */
export function VersionSelect({
  pane,
  onChange,
  ...select
}: Props & Pick<Parameters<typeof Select>[0], "label" | "control" | "isQuiet">) {
  const { can, environments } = useProject();
  const { last, ofTemplate } = useCommits();
  const value = versionWord(pane);
  const offered: SelectOption<string>[] = [
    { value: OWN_VERSION, label: "This project" },
    ...(last ? [commitOption(last, "Last commit: ")] : []),
    ...ofTemplate.filter(({ hash }) => hash !== last?.hash).map((commit) => commitOption(commit)),
    ...(can.seeRemote ? environments : []).map(({ name, hasKey }) => ({
      value: `deployed:${name}`,
      label: `Deployed to ${name}${hasKey ? "" : " (no key)"}`,
      isDisabled: !hasKey,
    })),
  ];
  // A link can name a version that is not offered.
  const isOffered = offered.some((option) => option.value === value);
  const { deployedTo, commit } = pane;
  const own = { value, label: deployedTo === undefined ? `Commit ${commit}` : `Deployed to ${deployedTo}` };
  return (
    <Select
      {...select}
      value={value}
      options={isOffered ? offered : [...offered, own]}
      onChange={(word) => onChange(versionOf(word))}
    />
  );
}

/** Maximum length of a commit's subject, because a select is as wide as its longest option. */
const LONGEST = 60;

function commitOption({ hash, committedAt, subject }: Commit, which = ""): SelectOption<string> {
  const date = new Date(committedAt).toLocaleDateString("en-GB", { dateStyle: "medium" });
  const cut = subject.length > LONGEST ? `${subject.slice(0, LONGEST)}…` : subject;
  return { value: `commit:${hash}`, label: visible(`${which}${hash} · ${date} · ${cut}`) };
}

const noCommits: TemplateCommits = { ofTemplate: [] };
const knownCommits = new KeyedStore<TemplateCommits>();

/** The commits that changed the view's template, read each time they are about to be offered. */
function useCommits(): TemplateCommits {
  const { template = "" } = useView();
  const source = useSource();
  const version = useVersion(template);
  const isOffered = useOfProject(({ can }) => can.seeCommits);
  useEffect(() => {
    if (!isOffered || template === "") return;
    // If the request fails, none are offered.
    source.commits(template).then(
      (commits) => knownCommits.set(template, commits),
      () => undefined,
    );
  }, [isOffered, template, source, version]);
  return knownCommits.use(template) ?? noCommits;
}
