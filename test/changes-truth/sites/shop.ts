import { lists, noises as n } from "../noises.ts";
import { dice, type Look, NAMES, paragraphs, pick, sentence, type TruthSite } from "../site.ts";

/** A shop: prices, stock, reviews, delivery; class names that say nothing, and a copy that is tried out on some visitors. */
export function shop(seed: number): TruthSite {
  const draw = dice(seed * 131 + 17);
  const kinds = ["lamps", "chairs", "tables"];
  const products = Array.from({ length: 24 }, (_, at) => ({
    path: `/p/${1000 + at}-${pick(["oak", "birch", "steel", "linen"], draw)}`,
    title: `${pick(["Oak", "Birch", "Steel", "Linen"], draw)} ${pick(["lamp", "chair", "table", "shelf"], draw)} ${at + 1}`,
    kind: kinds[at % 3]!,
    price: 20 + draw(400) + 0.9,
    stock: "In stock",
    sku: `KX-${4000 + draw(999)}`,
    text: paragraphs(2, draw),
    specs: [
      ["Height", `${40 + draw(80)} cm`],
      ["Weight", `${1 + draw(20)} kg`],
      ["Colour", pick(["red", "grey", "white"], draw)],
    ] as [string, string][],
    reviews: Array.from({ length: 1 + draw(4) }, () => ({ by: pick(NAMES, draw), stars: 1 + draw(5), text: sentence(draw) })),
    image: `/i/${at + 1}.jpg`,
    alt: `Product ${at + 1} from the side`,
    description: `Product ${at + 1} of our workshop`,
  }));
  const state = {
    hotline: "0800 123 456",
    delivery: ["Delivery takes three days.", "Returns are free for 30 days.", "We ship to all islands on Fridays."],
    free: 80,
    imprint: "Northern Woodworks Ltd., Reg. No. 44120",
    titleTail: "Woodworks",
  };
  const frame = (
    look: Look,
    title: string,
    body: string,
    more = "",
  ) => `<!doctype html><html lang="en"><head><title>${title} | ${state.titleTail}</title>${n.styleBuster(look)}${more}</head><body>
<header><div class="c1">${n.variant(look)}</div><a href="/">Home</a> <a href="https://shop-login.test/in?sid=${look.roll(1e9).toString(36)}${look.roll(1e9).toString(36)}">Log in</a><div>Free delivery from ${state.free} EUR</div>${n.countdown(look)}</header>
<nav>${kinds.map((kind) => `<a href="/c/${kind}">${kind}</a>`).join(" ")} <a href="/delivery">Delivery</a> <a href="/imprint">Imprint</a></nav>
<main>${body}</main><aside>${n.ad(look)}${n.teaserText(look)}${n.dishOfDay(look)}${n.rating(look)}${lists.popularNow(products, look)}</aside>
<footer><p>Hotline ${state.hotline}</p>${n.timestamp(look)}${n.csrf(look)}${n.build(look)}${n.copyright(look)}</footer></body></html>`;
  const of = (kind: string) => products.filter((product) => product.kind === kind);
  const pages: Record<string, (look: Look) => string> = {
    "/": (look) => frame(look, "Shop", `<h1>Made of wood and steel</h1><p>${kinds.join(", ")}</p>`),
    "/delivery": (look) => frame(look, "Delivery", `<h1>Delivery</h1>${state.delivery.map((line) => `<p>${line}</p>`).join("")}`),
    "/imprint": (look) => frame(look, "Imprint", `<h1>Imprint</h1><p>${state.imprint}</p>${n.captcha(look)}`),
    ...Object.fromEntries(
      kinds.map((kind) => [
        `/c/${kind}`,
        (look: Look) =>
          frame(
            look,
            kind,
            `<h1>${kind}</h1><ul>${of(kind)
              .map(({ path, title }) => `<li><a href="${path}">${title}</a></li>`)
              .join("")}</ul>`,
          ),
      ]),
    ),
  };
  const drawn = (look: Look): string | undefined => {
    const it = products.find(({ path }) => path === look.path);
    if (!it) return pages[look.path]?.(look);
    const data = {
      "@type": "Product",
      name: it.title,
      sku: it.sku,
      offers: { price: it.price, priceValidUntil: look.day.toISOString() },
      interactionStatistic: { userInteractionCount: look.request },
    };
    return frame(
      look,
      it.title,
      `<h1>${it.title}</h1><img src="${it.image}?v=${look.request}" alt="${it.alt}"><p>${it.price.toFixed(2)} EUR</p><p>${it.stock}</p><p>Article ${it.sku}</p>${it.text.map((each) => `<p>${each}</p>`).join("")}
<table>${it.specs.map(([name, value]) => `<tr><th>${name}</th><td>${value}</td></tr>`).join("")}</table>${n.watchers(look)}
<h2>Reviews</h2>${it.reviews.map(({ by, stars, text }) => `<div class="r"><b>${by}</b> <span>${stars} of 5</span><p>${text}</p></div>`).join("")}
<div class="x7"><h2>Customers also bought</h2>${lists.similar(of(it.kind), look)}</div>`,
      `<meta name="description" content="${it.description}"><script type="application/ld+json">${JSON.stringify(data)}</script>`,
    );
  };
  const all = () => [...Object.keys(pages), ...products.map(({ path }) => path)];
  const on = (at: number) => [products[at]!.path];
  const edits: Record<number, () => ReturnType<TruthSite["edit"]>> = {
    2: () => {
      products[3]!.price += 5;
      products[8]!.reviews.push({ by: "Tom Haverford", stars: 2, text: "It broke after a week." });
      products[10]!.stock = "Sold out";
      products[12]!.sku = "KX-3999";
      return [
        { what: "a price", on: on(3) },
        { what: "a review behind a picture with another version", on: on(8), says: "broke" },
        { what: "sold out", on: on(10), says: "Sold out" },
        { what: "an article number", on: on(12), says: "3999" },
      ];
    },
    3: () => {
      for (const product of products) product.text[1] = `${product.text[1]} Made without glue.`;
      products[5]!.specs[0]![1] = "99 cm";
      return [
        { what: "a sentence on all pages of one template", on: products.map(({ path }) => path), says: "without glue" },
        { what: "a height", on: on(5), says: "99" },
      ];
    },
    4: () => {
      products[6]!.description = "A lamp for long winters";
      products[9]!.alt = "Seen from above";
      products[11]!.image = "/i/11-b.jpg";
      state.free = 90;
      state.hotline = "0800 123 457";
      state.titleTail = "Northern Woodworks";
      return [
        { what: "description alone", on: on(6), says: "long winters", isHead: true },
        { what: "alt text alone", on: on(9), says: "from above" },
        { what: "a swapped photo", on: on(11), says: "11-b" },
        { what: "a telephone number in the footer of all pages", on: all(), says: "123 457" },
        { what: "the title of all pages", on: all(), says: "Northern" },
        { what: "an amount in the header of all pages", on: all(), says: "90" },
      ];
    },
    5: () => {
      for (const product of products) product.price = Math.round(product.price * 0.9) + 0.9;
      state.delivery[1] = "Returns are free for 14 days.";
      products[15]!.reviews[0]!.stars = 5 - (products[15]!.reviews[0]!.stars % 5) || 2;
      return [
        { what: "all prices", on: products.map(({ path }) => path) },
        { what: "a number of days", on: ["/delivery"], says: "14" },
      ];
    },
    6: () => {
      products[1]!.price += 3;
      products[2]!.specs.push(["Origin", "Finland"]);
      products[17]!.reviews.shift();
      state.imprint = "Northern Woodworks Ltd., Reg. No. 44121";
      return [
        { what: "one price after all had changed", on: on(1) },
        { what: "an added row", on: on(2), says: "Finland" },
        { what: "a review taken away", on: on(17) },
        { what: "a number", on: ["/imprint"], says: "44121" },
      ];
    },
  };
  return {
    name: "shop",
    noises: [
      "dishOfDay",
      "rating",
      "popularNow",
      "build",
      "copyright",
      "styleBuster",
      "variant",
      "sessionId",
      "countdown",
      "ad",
      "teaserText",
      "timestamp",
      "csrf",
      "imageBuster",
      "watchers",
      "similar",
      "captcha",
      "dateInData",
      "countInData",
    ],
    page: (look) => {
      const body = drawn(look);
      return body === undefined ? undefined : { body, headers: { "content-type": "text/html; charset=utf-8" } };
    },
    edit: (run) => edits[run]?.() ?? [],
  };
}
