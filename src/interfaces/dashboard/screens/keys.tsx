/** API keys and their scopes. */
import { useRef, useState } from "preact/hooks";
import type { AccessInfo } from "../access-info.ts";
import { api } from "../api.ts";
import { CopyText } from "../parts/copy-text.tsx";
import { Empty, ErrorMessage } from "../parts/notice.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { Time } from "../parts/time.tsx";
import { useApi, useList } from "../use-api.ts";

interface KeyRow {
  readonly id: number;
  readonly name: string;
  readonly scope: string;
  readonly madeAt: string;
  readonly usedAt: string | null;
}

export function Keys() {
  const list = useList<KeyRow>("/keys");
  const who = useApi<AccessInfo>("/version").data;
  const [createdKey, setCreatedKey] = useState<string>();
  const [error, setError] = useState<Error>();
  const isWithoutAdmin = !list.isLoading && !list.error && !list.rows.some(({ scope }) => scope === "admin");
  const [scope, setScope] = useState<string>();
  const wanted = scope ?? (isWithoutAdmin ? "admin" : "read");
  const revoke = (id: number) =>
    api(`/keys/${id}`, { method: "DELETE" }).then(() => {
      setError(undefined);
      list.reload();
    }, setError);
  const create = (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const name = new FormData(form).get("name");
    api<{ key: string }>("/keys", { method: "POST", body: { name, scope: wanted } }).then(({ key }) => {
      setError(undefined);
      setCreatedKey(key);
      setScope(undefined);
      form.reset();
      list.reload();
    }, setError);
  };
  const columns: readonly Column<KeyRow>[] = [
    { name: "Name", cell: ({ name }) => name },
    { name: "Scope", cell: ({ scope: of }) => of },
    { name: "Made", cell: ({ madeAt }) => <Time at={madeAt} /> },
    { name: "Used", cell: ({ usedAt }) => <Time at={usedAt} /> },
    { name: "", cell: (key) => <Revoke row={key} isLast={isLastAdmin(key, list.rows)} onRevoke={() => void revoke(key.id)} /> },
  ];
  return (
    <>
      {who && !who.needsKey && (
        <p class="banner" role="status">
          This server answers without a key. Once there is one, it asks everybody for a key <strong>from its next start on</strong>, here
          too: keep a key of scope admin for yourself. Without one, keys can only be managed on this machine, with{" "}
          <code>nuthatch keys</code>.
        </p>
      )}
      <form class="bar" aria-label="New key" onSubmit={create} data-needs="admin">
        <label>
          Name <input name="name" required maxLength={200} placeholder="who or what asks" />
        </label>
        <label>
          Scope
          <select value={wanted} onChange={(event) => setScope(event.currentTarget.value)}>
            <option>read</option>
            <option>write</option>
            <option>admin</option>
          </select>
        </label>
        <button type="submit" class="main">
          Make a key
        </button>
        {isWithoutAdmin && wanted !== "admin" && (
          <span role="status" class="bad-text">
            There is no key of scope admin yet: with this key alone nobody could manage keys here.
          </span>
        )}
      </form>
      <ErrorMessage error={error} />
      {createdKey !== undefined && (
        <div role="status" class="banner">
          This is shown once: it is not kept here.
          <CopyText label="Key" text={createdKey} />
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

const isLastAdmin = ({ id, scope }: KeyRow, rows: readonly KeyRow[]): boolean =>
  scope === "admin" && rows.length > 1 && !rows.some((other) => other.scope === "admin" && other.id !== id);

interface RevokeProps {
  readonly row: KeyRow;
  /** True for the only admin key while other keys exist. */
  readonly isLast: boolean;
  readonly onRevoke: () => void;
}

function Revoke({ row: { name, usedAt }, isLast, onRevoke }: RevokeProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  return (
    <>
      <button
        type="button"
        class="quiet danger"
        data-needs="admin"
        aria-label={`Revoke the key ${name}`}
        onClick={() => dialog.current?.showModal()}
      >
        Revoke
      </button>
      <dialog ref={dialog} aria-label={`Revoke the key ${name}?`}>
        <h2>Revoke the key {name}?</h2>
        <p>
          Whoever uses it is refused within five seconds. It was last used: <Time at={usedAt} />.
        </p>
        {isLast && <p class="bad-text">It is the last key of scope admin: nobody can manage keys here without it.</p>}
        <form method="dialog" class="actions">
          <button type="submit">Leave it</button>
          <button type="submit" class="danger" onClick={onRevoke}>
            Revoke it
          </button>
        </form>
      </dialog>
    </>
  );
}
