/** A test checks that it equals package.json. */
export const VERSION = "0.1.0";

/**
 * Version of the extractor. Raise it when the same page may give other metadata: stored metadata of earlier versions is then made again.
 */
export const EXTRACTOR_VERSION = 5;
