import { createHash } from "node:crypto";
import { type PageHandler, type PageSpec, pagesIn } from "../serve.ts";
import { type House, layout, link, type Sheet, type Sittaford } from "./layout.ts";

const parts: [slug: string, title: string, price: string, text: string][] = [
  ["bicycle-bell", "Bicycle bell", "6.50", "Brass, with a thumb lever. Loud enough for geese, polite enough for the library forecourt."],
  ["kettle-whistle", "Whistle for a kettle", "2.20", "Fits spouts from 18 to 24 millimetres. Two notes a third apart."],
  ["clock-key", "Winding key, size 7", "4.00", "For wall clocks made before the war. Please measure the arbor twice before you order."],
  ["oar-leather", "Leather collar for an oar", "9.80", "Stitched by hand on the towpath. Lasts about six summers."],
  ["lamp-wick", "Flat lamp wick", "1.10", "Cotton, sold by the half metre. Trim it square, not round."],
  ["door-spring", "Spring for a garden gate", "7.40", "Closes the gate behind you before the goat has noticed it was open."],
];

/** The shop: no robots.txt, a 429 at the first knock, one broken page, offers and baskets without end. */
export function partsShop(web: Sittaford): PageHandler {
  const house: House = {
    name: "Sittaford Spare Parts",
    colour: "#8a5a00",
    nav: [
      ["/", "Shop"],
      ["/parts/", "All parts"],
      ["/offers?page=1", "Offers"],
      ["/basket", "Basket"],
      ["/delivery", "Delivery"],
    ],
    footer: `Station Road 19 · ${link(`${web.townHall}/departments/waste/`, "What cannot be mended")}`,
  };
  const page = (title: string, text: string[], sheet?: Sheet) => ({ body: layout(house, title, text, sheet), etag: true });
  const list = parts.map(([slug, title, price]) => `- ${link(`/parts/${slug}`, title)}, ${price}`);
  const all = page("All parts", [
    ...list,
    `- ${link("/parts/steam-whistle", "Steam whistle")}, sold out`,
    `- ${link("/stock-room", "What is in the stock room?")}`,
  ]);
  const tooFast: PageSpec = { status: 429, headers: { "Retry-After": "1" }, body: "One at a time, please." };

  const find = pagesIn({
    "/": page("Spare parts for nearly everything", [
      "If it turns, rings, closes or boils, we probably have the small piece that has gone missing from it. Half of the shop is in drawers, and the drawers are here.",
      `Asked for most: the ${link("/parts/bicycle-bell?utm_campaign=spring&gclid=x1", "bicycle bell")}, also ${link("/parts/bicycle-bell?colour=red", "in red")}.`,
    ]),
    "/parts/": (hit) => (hit === 1 ? tooFast : all),
    ...Object.fromEntries(
      parts.map(([slug, title, price, text]) => [
        `/parts/${slug}`,
        page(title, [text, `<p>Price: <strong>${price}</strong></p>`], { head: `<link rel="canonical" href="${web.shop}/parts/${slug}">` }),
      ]),
    ),
    "/delivery": page("Delivery", ["By post on Tuesdays, by bicycle within the town, by boat upstream as far as the second lock."]),
    "/stock-room": { status: 500, body: layout(house, "Something fell over", ["The stock room does not answer. We are sorry."]) },
  });
  return (request) => offers(request.path, page) ?? basket(request.path, page) ?? find(request);
}

type Page = (title: string, text: string[]) => PageSpec;

/** A trap: there is always a next page, though the third was the last with anything on it. */
function offers(path: string, page: Page): PageSpec | undefined {
  const number = Number(/^\/offers\?page=(\d{1,9})$/.exec(path)?.[1]);
  if (!number) return undefined;
  const shown = parts.slice((number - 1) * 2, number * 2).map(([slug, title]) => `- ${link(`/parts/${slug}`, title)}, ten per cent off`);
  return page("Offers", [
    ...(shown.length > 0 ? shown : ["There are no more offers today."]),
    link(`/offers?page=${number + 1}`, "More offers"),
  ]);
}

/** A trap: every look at the basket starts a new session, and every link carries it. */
function basket(path: string, page: Page): PageSpec | undefined {
  if (!/^\/basket(\/pay)?(\?|$)/.test(path)) return undefined;
  return (hit) => {
    const session = createHash("sha256").update(`${path} ${hit}`).digest("hex").slice(0, 32);
    return page("Your basket", [
      "Your basket is empty.",
      `${link(`/basket?sid=${session}`, "Refresh")} · ${link(`/basket/pay?sid=${session}`, "Pay")}`,
    ]);
  };
}
