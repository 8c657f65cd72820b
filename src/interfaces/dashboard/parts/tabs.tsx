import type { ComponentChildren } from "preact";
import { Link, useLocation, withQuery } from "../router.tsx";

interface Tab {
  readonly id: string;
  readonly name: string;
  readonly show: () => ComponentChildren;
}

/** The open tab is in the URL; closed tabs are not loaded. */
export function Tabs({ tabs, label }: { readonly tabs: readonly Tab[]; readonly label: string }) {
  const place = useLocation();
  const open = tabs.find(({ id }) => id === place.query.get("tab")) ?? tabs[0]!;
  return (
    <>
      <nav class="tabs" aria-label={label}>
        {tabs.map(({ id, name }) => (
          <Link key={id} to={withQuery(place, { tab: id === tabs[0]!.id ? "" : id })} aria-current={id === open.id ? "page" : undefined}>
            {name}
          </Link>
        ))}
      </nav>
      {open.show()}
    </>
  );
}
