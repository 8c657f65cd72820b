/** Switches of Playwright that would take a page's limits away: windows nobody asked for, and calls without number to the browser. */
export const unwanted = ["--disable-popup-blocking", "--disable-ipc-flooding-protection"];

/**
 * Only the last list of features counts, so this holds what Playwright's does. The first two are ours: frames in processes of their own would be out of sight, and so
 * would pages that are made ready before anybody goes there.
 */
const withoutFeatures = [
  "IsolateSandboxedIframes",
  "Prerender2",
  "AimEnabled",
  "AutoDeElevate",
  "AvoidCorsURLLoaderRestartOnRedirect",
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "BlockOriginHeaderModificationOnRedirect",
  "DestroyProfileOnBrowserClose",
  "DialMediaRouteProvider",
  "GlobalMediaControls",
  "HttpsUpgrades",
  "LensOverlay",
  "MediaRouter",
  "NetworkTimeServiceQuerying",
  "OptimizationHints",
  "PaintHolding",
  "ThirdPartyStoragePartitioning",
  "Translate",
];

/** What one page can take of the machine, in megabytes of objects. What lies outside of those is watched from here. */
const HEAP = 512;

export const limits = [`--disable-features=${withoutFeatures.join(",")}`, `--js-flags=--max-old-space-size=${HEAP}`];
