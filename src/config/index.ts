/**
 * Options. Each is declared once, as a zod field in the room that reads it; here they are gathered, and flags, environment,
 * config file, help and docs are read off the one schema. Flag beats environment beats site beats defaults beats built-in.
 */
export { Config, type ConfigInput, type Field, fields, fromText, type Layer, plain, resolveConfig } from "./config.ts";
export { type ConfigFile, dbIn, envLayer, fileLayers, findConfigFile, readConfigFile, sitesIn } from "./load.ts";
export { proxyLayer } from "./proxy-env.ts";
export { SetupError } from "./setup-error.ts";
export { nearest } from "./suggest.ts";
