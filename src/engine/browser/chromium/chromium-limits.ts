/** Playwright's switches that would remove limits on pages: on pop-up windows, and on the number of IPC calls to the browser. */
export const unwantedSwitches = ["--disable-popup-blocking", "--disable-ipc-flooding-protection"];

/**
 * Only the last feature list on the command line counts, so this one includes Playwright's. The first two entries are
 * ours: frames in separate processes would escape request interception, and so would prerendered pages.
 */
const disabledFeatures = [
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
 * Prefetches by speculation rules or prerender links are sent by the browser process, where no tab can intercept them,
 * and over https the exit cannot see them. No feature disables them, but the number of concurrent prefetches can be set
 * to 0; the name differs between versions. The first entry is Playwright's, because only the last list counts.
 */
const enabledFeatures = [
  "CDPScreenshotNewSurface",
  "NoStatePrefetchHoldback",
  "PrefetchScheduler",
  "PrefetchSchedulerTesting:kPrefetchSchedulerTestingActiveSetSizeLimitForBase/0/kPrefetchSchedulerTestingActiveSetSizeLimitForBurst/0",
  "PrefetchMultipleActiveSetSizeLimitForBase:prefetch_multiple_active_set_size_limit_for_base_value/0",
];

/** Limit on the JavaScript heap of a page in megabytes. Memory outside the heap is watched in `memory.ts`. */
const MAX_HEAP_MB = 512;

export const limitSwitches = [
  `--disable-features=${disabledFeatures.join(",")}`,
  `--enable-features=${enabledFeatures.join(",")}`,
  `--js-flags=--max-old-space-size=${MAX_HEAP_MB}`,
];
