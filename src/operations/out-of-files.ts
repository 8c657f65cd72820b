export { isOutOfFiles, OutOfFiles } from "../fetch/index.ts";
