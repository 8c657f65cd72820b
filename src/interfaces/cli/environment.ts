/** Environment variables besides those of the options (`NUTHATCH_MAX_DEPTH` etc.). */
export const environment: readonly { readonly name: string; readonly about: string }[] = [
  { name: "NUTHATCH_DB", about: "the data file, unless --db names another" },
  { name: "NUTHATCH_BODIES", about: "where workers of a shared database keep bodies of pages, unless --bodies names another folder" },
  { name: "PGPASSWORD", about: "password of the database that --db or NUTHATCH_DB names, where the address has none" },
  {
    name: "NUTHATCH_LEASE",
    about:
      "time after which a worker without a sign of life has lost its hosts, 100ms to 10m (default 30s); the same for all of a database",
  },
  {
    name: "NUTHATCH_API_KEY",
    about: "key that commands show to a server: crawl --detach, runs watch; to one on another machine only if CRAWLER_SERVICE_URL names it",
  },
  {
    name: "CRAWLER_SERVICE_URL",
    about:
      "the server that crawl --detach, runs watch and runs stop ask, from any folder, instead of the one that works with the data file",
  },
  { name: "PORT", about: "where nuthatch serve listens, unless --port says it" },
  {
    name: "NUTHATCH_LLM_KEY",
    about:
      "key of the endpoint that NUTHATCH_LLM_URL or --llm-url names, or of the built-in one; never stored, logged or shown, and sent to none that a config file names",
  },
  { name: "OPENAI_API_KEY", about: "the same for api.openai.com, unless NUTHATCH_LLM_KEY is set; sent to no other endpoint" },
  { name: "HTTPS_PROXY", about: "proxy for https, unless --proxy names another; also https_proxy" },
  { name: "HTTP_PROXY", about: "proxy for http; also http_proxy" },
  { name: "ALL_PROXY", about: "proxy for both, where they have none of their own; also all_proxy" },
  { name: "NO_PROXY", about: "hosts, domains, addresses and networks that go without; this machine always does; also no_proxy" },
  { name: "NODE_EXTRA_CA_CERTS", about: "PEM file of certificate authorities that Node trusts too; --ca adds to it" },
  { name: "NODE_TLS_REJECT_UNAUTHORIZED", about: "0 turns off the check of every certificate, of which nuthatch doctor warns" },
  { name: "PATH", about: "where browsers are looked for, unless --browser names one" },
  { name: "NO_COLOR", about: "set to anything: no colours (https://no-color.org)" },
  { name: "FORCE_COLOR", about: "set to anything but 0: colours even where no terminal is; NO_COLOR comes first" },
  { name: "CI", about: "set to anything: no live view and no questions, as if no terminal was there" },
  { name: "TERM", about: "dumb: no colours and no live view" },
];
