/**
 * Options. Each is declared once, as a zod field in the module that uses it. They are combined here, and flags, environment, config
 * file, help and docs are derived from that schema. Precedence: flag, environment, site, defaults, preset, built-in.
 */

export { isKeyword, keywordLines, readKeyword } from "../../analysis/score/options.ts";
export { type Problem, problemsIn, siteKey } from "./check.ts";
export { Config, type ConfigInput, type Field, fields, fromText, itemOf, storedForm } from "./config.ts";
export { type ConfigFileInput, defineConfig, type OptionsInput, type SiteInput } from "./define.ts";
export { configJsonSchema } from "./file-schema.ts";
export { configFilesIn, findConfigFile, IGNORE_FILE, refuseUnsafeFile } from "./find.ts";
export { ignoreLayers } from "./ignore.ts";
export { dbIn, envLayer, fileLayers, readConfigFile, seedGroups, sitesIn, withoutStored } from "./layers.ts";
export { modelKey, OPENAI_HOST } from "./model-key.ts";
export { parseDuration } from "./parse-duration.ts";
export { type PresetName, presets } from "./presets.ts";
export { proxyLayer } from "./proxy-env.ts";
export { type ConfigFile, parseConfigFile } from "./read.ts";
export { type Layer, type Resolved, resolveConfig, resolveLayers } from "./resolve.ts";
export { type Environment, withoutLogins } from "./secrets.ts";
export { SetupError } from "./setup-error.ts";
export { nearest } from "./suggest.ts";
export { trustedSeedTest } from "./trusted-seed.ts";
