type Prefs = Record<string, string | number | boolean>;

/** Firefox without direct network access: everything goes to the exit, loopback included, with no fallback when the exit fails. */
export const firefoxPrefs = (exitPort: number): Prefs => ({
  "network.proxy.type": 1,
  "network.proxy.http": "127.0.0.1",
  "network.proxy.http_port": exitPort,
  "network.proxy.ssl": "127.0.0.1",
  "network.proxy.ssl_port": exitPort,
  "network.proxy.no_proxies_on": "",
  "network.proxy.allow_hijacking_localhost": true,
  "network.proxy.failover_direct": false,
  "network.proxy.allow_bypass": false,
  ...directAccessOff,
  ...backgroundRequestsOff,
});

/** No DNS lookups, nothing over UDP, no speculative connections. */
const directAccessOff: Prefs = {
  "network.dns.disabled": true,
  "network.dns.disablePrefetch": true,
  "network.dns.disablePrefetchFromHTTPS": true,
  "network.trr.mode": 5,
  "network.http.http3.enable": false,
  "network.webtransport.enabled": false,
  "media.peerconnection.enabled": false,
  "network.predictor.enabled": false,
  "network.prefetch-next": false,
  "network.http.speculative-parallel-limit": 0,
  "browser.urlbar.speculativeConnect.enabled": false,
  "browser.places.speculativeConnect.enabled": false,
  "dom.push.enabled": false,
  "dom.serviceWorkers.enabled": false,
  "beacon.enabled": false,
};

/** Firefox's own background requests. The exit would refuse them anyway; this avoids the attempts. */
const backgroundRequestsOff: Prefs = {
  "app.update.enabled": false,
  "app.update.auto": false,
  "app.normandy.enabled": false,
  "browser.region.network.url": "",
  "browser.region.update.enabled": false,
  "browser.safebrowsing.malware.enabled": false,
  "browser.safebrowsing.phishing.enabled": false,
  "browser.safebrowsing.downloads.remote.enabled": false,
  "browser.search.update": false,
  "browser.newtabpage.activity-stream.feeds.asrouterfeed": false,
  "browser.topsites.contile.enabled": false,
  "datareporting.healthreport.uploadEnabled": false,
  "datareporting.policy.dataSubmissionEnabled": false,
  "extensions.update.enabled": false,
  "extensions.getAddons.cache.enabled": false,
  "extensions.systemAddon.update.enabled": false,
  "media.gmp-manager.updateEnabled": false,
  "network.captive-portal-service.enabled": false,
  "network.connectivity-service.enabled": false,
  "security.OCSP.enabled": 0,
  "security.remote_settings.intermediates.enabled": false,
  "security.remote_settings.crlite_filters.enabled": false,
  "services.settings.server": "http://settings.invalid",
  "signon.management.page.breach-alerts.enabled": false,
  "toolkit.telemetry.enabled": false,
  "toolkit.telemetry.server": "",
};
