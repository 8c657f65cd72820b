import type { TruthSite } from "./site.ts";
import { blog } from "./sites/blog.ts";
import { council } from "./sites/council.ts";
import { museum } from "./sites/museum.ts";
import { shop } from "./sites/shop.ts";
import { university } from "./sites/university.ts";

export const sites: readonly ((seed: number) => TruthSite)[] = [council, university, shop, blog, museum];
