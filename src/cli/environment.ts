/** Variables of the environment that are read besides those of the options (`NUTHATCH_MAX_DEPTH` and so on). */
export const environment: readonly { readonly name: string; readonly about: string }[] = [
  { name: "NUTHATCH_DB", about: "the data file, unless --db names another" },
  { name: "NO_COLOR", about: "set to anything: no colours (https://no-color.org)" },
  { name: "FORCE_COLOR", about: "set to anything but 0: colours even where no terminal is; NO_COLOR comes first" },
  { name: "CI", about: "set to anything: no live view and no questions, as if no terminal was there" },
  { name: "TERM", about: "dumb: no colours and no live view" },
  { name: "HTTPS_PROXY", about: "the proxy to ask https addresses through, unless --proxy names one; https_proxy too" },
  { name: "HTTP_PROXY", about: "the proxy to ask http addresses through; http_proxy too" },
  { name: "ALL_PROXY", about: "the proxy for both, where the two above say nothing; all_proxy too" },
  { name: "NO_PROXY", about: "hosts, domains and addresses that are asked without a proxy, with commas; no_proxy too" },
  { name: "NODE_EXTRA_CA_CERTS", about: "Node's own: more certificate authorities to trust; nuthatch doctor looks whether it can be read" },
  { name: "NODE_TLS_REJECT_UNAUTHORIZED", about: "Node's own: 0 turns off the check of certificates, which nuthatch doctor warns of" },
];
