/** Screenshot of a page, beside the previous one if there is one. */
import { BASE, queryText } from "../../api.ts";
import { ErrorMessage } from "../../parts/notice.tsx";
import { Time } from "../../parts/time.tsx";
import { useList } from "../../use-api.ts";

interface ShownVersion {
  readonly version: number;
  readonly fetchedAt: string;
  readonly renderedBy: string | null;
  readonly hasScreenshot: boolean;
}

export function PageScreenshot({ id }: { readonly id: number }) {
  const { rows, error, isLoading } = useList<ShownVersion>(`/pages/${id}/versions`);
  const pictures = rows.filter(({ hasScreenshot }) => hasScreenshot).slice(0, 2);
  if (error) return <ErrorMessage error={error} />;
  if (pictures.length === 0)
    return isLoading ? null : (
      <p class="empty">No picture of it is stored: those of pages that a browser shows are, with --save screenshot.</p>
    );
  return (
    <div class="screenshots">
      {pictures.map(({ version, fetchedAt, renderedBy }) => (
        <figure key={version}>
          <figcaption>
            Version {version}, <Time at={fetchedAt} />, {renderedBy}
          </figcaption>
          <img src={`${BASE}/pages/${id}/screenshot${queryText({ version })}`} alt={`The page as it was in version ${version}`} />
        </figure>
      ))}
    </div>
  );
}
