import { Info } from "lucide-react";
import { envelopeClients } from "../state/address.js";
import { changeView, useView } from "../state/view-store.js";
import { Select } from "../ui/field.js";
import { clientLists } from "./clients.js";
import styles from "./envelope.module.css";

/** Chooses the client whose list is imitated. A tooltip explains the widths. */
export const ClientChoice = () => {
  const { client } = useView();
  const { basis } = clientLists[client];
  return (
    <>
      <Select
        label="Inbox preview of"
        isQuiet
        value={client}
        options={envelopeClients.map((value) => ({ value, label: clientLists[value].name }))}
        onChange={(chosen) => changeView({ client: chosen })}
      />
      <span className={styles.basis} title={basis}>
        <Info size={14} role="img" aria-label={basis} />
      </span>
    </>
  );
};
