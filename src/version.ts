/** Kept equal to package.json by a test. */
export const VERSION = "0.1.0";

/** Of the extractor. Raise it whenever the same page may give other metadata: stored ones of earlier versions are completed. */
export const EXTRACTOR_VERSION = 4;
