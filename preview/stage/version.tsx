import { useEffect } from "react";
import { Info, RefreshCw } from "lucide-react";
import type { Commit, TemplateCommits } from "../../src/preview/contract.js";
import {
  useOfProject,
  useProject,
  useReport,
  useSource,
  useVersion,
  useTemplate,
  useIsConnected,
} from "../state/data.js";
import { OWN_VERSION, versionOf, versionWord, type Pane } from "../state/view.js";
import { useView } from "../state/view-store.js";
import { Field, Select, type Option } from "../ui/field.js";
import { visible, Moment, MessageText } from "../ui/text.js";
import { KeyedStore } from "../state/stores.js";
import type { Filled } from "../variables/filled.js";
import { IconButton } from "../ui/button.js";
import { classes } from "../ui/classes.js";
import { usePane } from "./panes.js";
import { serverGone } from "../data/live.js";
import styles from "./version.module.css";

/** Chooses the version of the email and the email client. */
export function VersionChoice() {
  const { pane, change } = usePane();
  const { seeRemote, seeCommits } = useProject().can;
  const { kind } = useSource();
  const { clients: { clients } = { clients: [] } } = useReport() ?? {};
  return (
    <>
      {(seeRemote || seeCommits) && <Field label="Version">{(control) => <VersionSelect control={control} />}</Field>}
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
              onChange={(client) => change({ client: client === USUAL ? undefined : client })}
            />
          )}
        </Field>
      )}
    </>
  );
}

const USUAL = "";

/** Chooses the project's own version, a commit's or an environment's. */
function VersionSelect(select: Pick<Parameters<typeof Select>[0], "label" | "control" | "isQuiet">) {
  const { pane, change } = usePane();
  const { can, environments } = useProject();
  const { last, ofTemplate } = useCommits();
  const value = versionWord(pane);
  const offered: Option<string>[] = [
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
      onChange={(word) => change(versionOf(word))}
    />
  );
}

/** Maximum length of a commit's subject, because a select is as wide as its longest option. */
const LONGEST = 60;

function commitOption({ hash, committedAt, subject }: Commit, which = ""): Option<string> {
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

export function showsOtherVersion(pane: Pane): boolean {
  return versionWord(pane) !== OWN_VERSION || pane.client !== undefined;
}

/** Shows a pane's version and client if any pane shows something other than the project's own version. */
export function VersionBar({ version: { other, misfit, refresh } }: { readonly version: Filled }) {
  const { pane } = usePane();
  const { deployedTo, commit, client } = pane;
  return (
    <div className={styles.bar}>
      <div className={classes(styles.row, commit !== undefined && styles.committed)}>
        <VersionSelect label="Version" isQuiet />
        <span className={styles.words}>
          {other && "updatedAt" in other && <Moment at={other.updatedAt} />}
          {other && <Likeness other={other} />}
          {client !== undefined && <ClientName client={client} />}
        </span>
        {deployedTo !== undefined && (
          <IconButton icon={RefreshCw} label={`Refresh the version on ${deployedTo}`} onClick={refresh} />
        )}
      </div>
      {misfit !== undefined && <p className={styles.misfit}>The variables don't fit this commit. {misfit}</p>}
    </div>
  );
}

/**
 * Reports differences only for commits. A deployed version also differs if only its image URLs do, which means nothing.
 */
function Likeness({ other }: { readonly other: NonNullable<Filled["other"]> }) {
  const compiled = useTemplate().detail?.compiled;
  const isSame = (["subject", "html", "text"] as const).every((part) => compiled?.[part] === other[part]);
  if (isSame) return <span>same as this project</span>;
  return "contract" in other && <span>differs</span>;
}

function ClientName({ client }: { readonly client: string }) {
  const { clients: { date, clients } = { date: "", clients: [] } } = useReport() ?? {};
  const basis = `Without the HTML and CSS that this client doesn't support, according to caniemail data from ${date}. The real client can still show it differently.`;
  return (
    <span className={styles.client}>
      {`as ${clients.find(({ id }) => id === client)?.name ?? client}, approximately\u00a0`}
      <span className={styles.basis} title={basis}>
        <Info size={14} role="img" aria-label={basis} />
      </span>
    </span>
  );
}

/** Why a pane does not show the requested email. */
export function PaneWarning({ isOfFixture, children }: { readonly isOfFixture: boolean; readonly children: string }) {
  const isConnected = useIsConnected();
  // The connection bar already shows this.
  if (!isConnected && children === serverGone) return null;
  return (
    <div role="status" className={styles.trouble}>
      <strong>{isOfFixture ? "This fixture can't be used as it is." : "This email is out of date."}</strong>
      <p>
        <MessageText text={children} />
      </p>
    </div>
  );
}
