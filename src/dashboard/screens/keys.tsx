/** Who may ask this server, and how far. */
import { useState } from "preact/hooks";
import { api } from "../api.ts";
import { CopyText } from "../parts/copy-text.tsx";
import { Empty, Trouble } from "../parts/notice.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { Time } from "../parts/time.tsx";
import { useList } from "../use-api.ts";

interface KeyRow {
  readonly id: number;
  readonly name: string;
  readonly scope: string;
  readonly madeAt: string;
  readonly usedAt: string | null;
}

export function Keys() {
  const list = useList<KeyRow>("/keys");
  const [made, setMade] = useState<string>();
  const [error, setError] = useState<Error>();
  const close = (id: number) => api(`/keys/${id}`, { method: "DELETE" }).then(list.reload, setError);
  const create = (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const said = new FormData(form);
    api<{ key: string }>("/keys", { method: "POST", body: { name: said.get("name"), scope: said.get("scope") } }).then(({ key }) => {
      setMade(key);
      form.reset();
      list.reload();
    }, setError);
  };
  const columns: readonly Column<KeyRow>[] = [
    { name: "Name", cell: ({ name }) => name },
    { name: "Scope", cell: ({ scope }) => scope },
    { name: "Made", cell: ({ madeAt }) => <Time at={madeAt} /> },
    { name: "Used", cell: ({ usedAt }) => <Time at={usedAt} /> },
    {
      name: "",
      cell: ({ id, name }) => (
        <button type="button" class="quiet danger" aria-label={`Close the key ${name}`} onClick={() => void close(id)}>
          Close
        </button>
      ),
    },
  ];
  return (
    <>
      <form class="bar" aria-label="New key" onSubmit={create}>
        <label>
          Name <input name="name" required maxLength={200} placeholder="who or what asks" />
        </label>
        <label>
          Scope
          <select name="scope">
            <option>read</option>
            <option>write</option>
            <option>admin</option>
          </select>
        </label>
        <button type="submit" class="main">
          Make a key
        </button>
      </form>
      <Trouble error={error} />
      {made !== undefined && (
        <div role="status" class="banner">
          This is shown once: it is not kept here.
          <CopyText label="Key" text={made} />
        </div>
      )}
      <Table
        label="Keys"
        columns={columns}
        list={list}
        keyOf={({ id }) => id}
        path="/keys"
        empty={<Empty command="nuthatch keys create --scope read">No key yet. On this machine none is needed; others need one:</Empty>}
      />
    </>
  );
}
