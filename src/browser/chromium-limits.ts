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

/**
 * What a page wants fetched ahead, by speculation rules or a link to prerender, goes out from the browser itself, where no tab is asked; and over https the exit does not see
 * what passes. No feature turns it off, but it can be left none to do at a time: versions differ in the name. The first is Playwright's, for the last list counts alone.
 */
const withFeatures = [
  "CDPScreenshotNewSurface",
  "NoStatePrefetchHoldback",
  "PrefetchScheduler",
  "PrefetchSchedulerTesting:kPrefetchSchedulerTestingActiveSetSizeLimitForBase/0/kPrefetchSchedulerTestingActiveSetSizeLimitForBurst/0",
  "PrefetchMultipleActiveSetSizeLimitForBase:prefetch_multiple_active_set_size_limit_for_base_value/0",
];

/** What one page can take of the machine, in megabytes of objects. What lies outside of those is watched from here. */
const HEAP = 512;

export const limits = [
  `--disable-features=${withoutFeatures.join(",")}`,
  `--enable-features=${withFeatures.join(",")}`,
  `--js-flags=--max-old-space-size=${HEAP}`,
];
