/** What stands around the text of product sites: menus, banners, boxes, rows of links. Nothing of it may reach a context. */
import { draw } from "../drawing.ts";
import type { Kind, PlannedPage } from "./outline.ts";

export type Menu = readonly (readonly [path: string, label: string])[];

/** The words of the furniture that no text of the site uses. */
export interface Furniture {
  readonly menu: Menu;
  readonly mega: readonly { readonly heading: string; readonly links: Menu }[];
  readonly foot: readonly { readonly heading: string; readonly links: Menu }[];
  readonly tree: Menu;
  readonly related: readonly { readonly path: string; readonly title: string; readonly price: string }[];
  readonly cookie: string;
  readonly newsletter: string;
  readonly notice: string;
  readonly copyright: string;
}

const decoys: Readonly<Record<Kind, Menu>> = {
  docs: [
    ["/blog/", "Latest from the blog"],
    ["/changelog", "Changelog 4.2"],
    ["/community/chat", "Community chat room"],
    ["/sponsors", "Become a sponsor"],
  ],
  shop: [
    ["/collections/lamps", "Shop all lamps"],
    ["/collections/sale", "Winter sale"],
    ["/cart", "Your basket (0)"],
    ["/gift-cards", "Gift vouchers"],
  ],
  saas: [
    ["/pricing", "Pricing for teams"],
    ["/customers", "Customer stories"],
    ["/demo", "Book a demo"],
    ["/login", "Log in here"],
  ],
};

const legal: Menu = [
  ["/legal/privacy", "Privacy notice"],
  ["/legal/terms", "Terms of service"],
  ["/careers", "Open positions"],
  ["/press", "Press room"],
  ["/contact", "Contact form"],
  ["https://social.example/ourpage", "Follow us on Social"],
];

const treeLabels = ["Install on Windows", "Install on Linux", "Upgrade from 3.x", "Command line flags", "Error codes", "Release notes 4.x"];
const goods = ["Harbour lamp", "Brass hook", "Slate tray", "Rope basket", "Copper kettle", "Oak stool", "Wool plaid", "Tin whistle"];

export function furnitureOf(kind: Kind, seed: number, product: string, explaining: readonly PlannedPage[]): Furniture {
  const pick = draw(seed, 23, kind.charCodeAt(0));
  const ways: Menu = explaining.map(({ path, anchor }) => [path, anchor]);
  const near = ways.slice(0, 3);
  const far = ways.slice(3);
  return {
    menu: pick(2) === 0 ? [...near, ...decoys[kind].slice(0, 2)] : [...decoys[kind].slice(0, 2), ...near],
    mega: [
      { heading: "Popular right now", links: decoys[kind] },
      { heading: "Find your way", links: far },
    ],
    foot: [
      { heading: "Explore more", links: [...far, ...near.slice(0, 1)] },
      { heading: "Small print", links: legal },
    ],
    tree: treeLabels.map((label, at) => [`/docs/pages/${at + 1}`, label]),
    related: goods.map((title, at) => ({ path: `/products/${at + 1}`, title, price: `€${pick(90) + 9}.50` })),
    cookie: "We use cookies to improve your visit. By clicking Accept all cookies you agree to our partners.",
    newsletter: "Subscribe to our newsletter and get a tenth off your next order.",
    notice: "Free delivery this week only, while stocks last.",
    copyright: `© 2026 ${product} Ltd. All rights reserved.`,
  };
}

/** Every phrase by which furniture can be recognised in a context. */
export function phrasesOf(furniture: Furniture, kind: Kind): string[] {
  const { cookie, newsletter, notice, copyright, mega, foot, tree, related } = furniture;
  const labels = [...decoys[kind], ...legal, ...tree].map(([, label]) => label);
  return [
    ...labels,
    ...[...mega, ...foot].map(({ heading }) => heading),
    ...related.map(({ title }) => title),
    ...[cookie, newsletter, notice, copyright].map((text) => text.slice(0, 30)),
    ...[
      "Skip to content",
      "On this page",
      "Next page",
      "Previous page",
      "You may also like",
      "Share this page",
      "Add to basket",
      "Accept all",
    ],
  ];
}
