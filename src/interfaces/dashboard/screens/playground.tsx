/** Screen 8: try an operation on one address, start a crawl, and see the equivalent request, command and config. */
import { useState } from "preact/hooks";
import { typedUrl } from "../../../core/typed-url.ts";
import { api, type List, queryText } from "../api.ts";
import { asCli, asYaml, callOf, MODES, type Mode, type Option, optionsOf, readValue, withOrigins } from "../equivalent-calls.ts";
import { asCurl, asTypeScript } from "../parts/api-button.tsx";
import { CopyText } from "../parts/copy-text.tsx";
import { ErrorMessage } from "../parts/notice.tsx";
import { Title } from "../parts/title.tsx";
import { Link, navigate, useLocation, withQuery } from "../router.tsx";
import { useApi } from "../use-api.ts";
import { OptionForm } from "./option-form.tsx";
import { type Outcome, PlayResult } from "./play-result.tsx";

const NAMES: Readonly<Record<Mode, string>> = {
  fetch: "One page, as Markdown and more",
  map: "The URLs of a site; nothing is stored",
  context: "A page and the links that explain it, as one text",
  enrich: "What a page says about itself, field by field",
  crawl: "A whole site, into the data file",
};

export function Playground() {
  const place = useLocation();
  const mode = MODES.find((name) => name === place.query.get("mode")) ?? "fetch";
  const typed = place.query.get("url") ?? "";
  const url = typedUrl(typed);
  const schema = useApi<{ data: readonly Option[] }>("/config/schema");
  const storedSite = useApi<List<{ config: Readonly<Record<string, unknown>> }>>(
    mode === "crawl" && /^https?:\/\/./.test(url) && URL.canParse(url) ? `/sites${queryText({ url })}` : undefined,
  );
  const options = mode === "crawl" ? withOrigins(schema.data?.data ?? [], storedSite.data?.data[0]?.config ?? {}) : optionsOf[mode];
  const typedOptions = new Map(
    options.flatMap(({ name }) => (place.query.get(`o.${name}`) ? [[name, place.query.get(`o.${name}`)!]] : [])),
  );
  const values = Object.fromEntries(
    options.flatMap((option) => {
      const value = readValue(option, typedOptions.get(option.name) ?? "");
      return value === undefined ? [] : [[option.name, value]];
    }),
  );
  const call = callOf(mode, url, values);
  const [outcome, setOutcome] = useState<Outcome>();
  const [error, setError] = useState<Error>();
  const [isBusy, setBusy] = useState(false);
  const run = (kind: Outcome["kind"], path: string, body: unknown) => {
    setBusy(true);
    setError(undefined);
    setOutcome(undefined);
    api<Record<string, unknown>>(path, { method: "POST", body })
      .then((data) => (kind === "crawl" ? navigate(`/crawls/${data.id}`) : setOutcome({ kind, data })), setError)
      .finally(() => setBusy(false));
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    run(mode, call.path, call.body);
  };
  return (
    <>
      <Title tab="Playground">Playground</Title>
      <nav class="tabs" aria-label="What to do">
        {MODES.map((name) => (
          <Link
            key={name}
            to={withQuery({ ...place, query: new URLSearchParams() }, { mode: name, url: typed })}
            aria-current={name === mode ? "page" : undefined}
          >
            {name}
          </Link>
        ))}
      </nav>
      <p class="faint">{NAMES[mode]}.</p>
      <form onSubmit={submit} aria-label={mode}>
        <div class="bar">
          <label class="grow">
            Address
            <input
              inputMode="url"
              required
              value={typed}
              placeholder="https://example.org"
              onInput={(event) => navigate(withQuery(place, { url: event.currentTarget.value }), "replace")}
            />
          </label>
          <button type="submit" class="main" disabled={isBusy}>
            {mode === "crawl" ? "Start" : "Try it"}
          </button>
          {mode === "crawl" && (
            <>
              <button type="button" disabled={isBusy || url === ""} onClick={() => run("preview", "/crawls/preview", call.body)}>
                Preview
              </button>
              <button type="button" disabled={isBusy || url === ""} onClick={() => run("site", "/sites", call.body)}>
                Save as site
              </button>
            </>
          )}
          <span role="status" class="faint">
            {isBusy && "at work, in the host's turn…"}
          </span>
        </div>
        <ErrorMessage error={error ?? schema.error} />
        {outcome && <PlayResult outcome={outcome} />}
        <div class="beside">
          <section aria-label="Options">
            <h2>Options</h2>
            {options.length === 0 && <p class="faint">None: it only needs an address.</p>}
            <OptionForm
              options={options}
              typed={typedOptions}
              onSay={(name, text) => navigate(withQuery(place, { [`o.${name}`]: text }), "replace")}
            />
          </section>
          <section aria-label="The same as">
            <h2>The same as</h2>
            <CopyText label="CLI" text={asCli(mode, url || "https://example.org", values, options)} />
            <CopyText label="curl" text={asCurl(call)} />
            <CopyText label="TypeScript" text={asTypeScript(call)} />
            {mode === "crawl" && <CopyText label="nuthatch.config.yaml" text={asYaml(url || "https://example.org", values)} />}
          </section>
        </div>
      </form>
    </>
  );
}
