export { isOutOfFiles, OutOfFiles } from "../../engine/fetch/index.ts";
