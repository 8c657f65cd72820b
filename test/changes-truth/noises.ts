/** What makes pages differ without anybody having edited them. Each is a piece of HTML, drawn anew for each request or each week. */
import { type Look, pick, several } from "./site.ts";

export interface Target {
  readonly path: string;
  readonly title: string;
}

const hex = (length: number, roll: (below: number) => number) => Array.from({ length }, () => roll(16).toString(16)).join("");
const number = (value: number) => value.toLocaleString("en-US");
const long = new Intl.DateTimeFormat("en-GB", { weekday: "long", day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });
const dayOnly = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });
const items = (targets: readonly Target[]) =>
  `<ul>${targets.map(({ path, title }) => `<li><a href="${path}">${title}</a></li>`).join("")}</ul>`;

const TEASERS = [
  "Free parking on Sundays in spring",
  "Swim lessons for all ages",
  "Recycle your old paint with us",
  "Join the library summer club",
  "Borrow a bicycle for a week",
  "Volunteers wanted at the animal shelter",
];
const QUOTES = [
  "Every river has its bridge.",
  "He who waits for the harvest sleeps by the mill.",
  "Never trust a quiet harbour.",
  "A short road has long company.",
  "Stone remembers what water forgets.",
  "The light that leaves last sees most.",
  "Small gardens feed large families.",
];
const SKIES = ["sunny", "cloudy", "light rain", "fog", "clear", "showers"];
const ADS = ["Kettle & Sons furniture", "Blue Door insurance", "Fjord outdoor shoes", "Happy Cat food", "Cloudline hosting"];

/** By name, so that each site can say which it has. */
export const noises = {
  visitCounter: ({ request }: Look) => `<p>You are visitor number ${number(41_200 + request * 3)}</p>`,
  hitCounter: ({ request }: Look) => `<div class="counter">${String(800_000 + request * 7).padStart(8, "0")}</div>`,
  viewCount: ({ run, weekly, own }: Look) => `<span class="meta views">${number(300 + own(900) + run * 97 + weekly(60))} views</span>`,
  readCount: ({ request }: Look) => `<p class="small">This page has been read ${number(900 + request)} times.</p>`,
  watchers: ({ roll }: Look) => `<p>${2 + roll(40)} people are looking at this right now</p>`,
  online: ({ roll }: Look) => `<p>${1 + roll(30)} guests and ${roll(9)} members online</p>`,
  shares: ({ run, own }: Look) =>
    `<div class="share-buttons"><a href="https://share.test/f">Share</a> <span>${own(40) + run * 3}</span></div>`,
  clock: ({ day }: Look) => `<span id="clock">${day.toISOString().slice(11, 19)}</span>`,
  timestamp: ({ day }: Look) => `<p>Page served at ${day.toISOString()}</p>`,
  today: ({ day }: Look) => `<div class="date">${long.format(day)}</div>`,
  todayIs: ({ day }: Look) => `<p>Today is ${dayOnly.format(day)}</p>`,
  generated: ({ roll }: Look) => `<p>Page generated in 0.${String(10 + roll(90))} seconds by web-0${1 + roll(4)}</p>`,
  requestId: ({ roll }: Look) => `<small>Request ID: ${hex(16, roll)}</small>`,
  csrf: ({ roll }: Look) => `<form action="/search"><input type="hidden" name="csrf" value="${hex(32, roll)}"><input name="q"></form>`,
  nonce: ({ roll }: Look) => `<script nonce="${hex(16, roll)}">var page = ${roll(100_000)};</script>`,
  styleBuster: ({ run, request }: Look) => `<link rel="stylesheet" href="/site.css?v=${run * 1000 + request}">`,
  metaToken: ({ roll }: Look) => `<meta name="csrf-token" content="${hex(24, roll)}">`,
  updatedTime: ({ day }: Look) => `<meta property="og:updated_time" content="${day.toISOString()}">`,
  printLink: ({ path, day }: Look) =>
    `<a href="/print?page=${encodeURIComponent(path)}&amp;time=${day.getTime()}" rel="nofollow">Print</a>`,
  loginLink: ({ path, roll }: Look) =>
    `<a href="https://id.test/login?return=${encodeURIComponent(path)}&amp;state=${hex(20, roll)}">Log in</a>`,
  teaser: ({ roll }: Look) => {
    const at = roll(TEASERS.length);
    return `<div class="teaser"><a href="https://promo.test/${at}">${TEASERS[at]}</a></div>`;
  },
  teaserText: ({ roll }: Look) => `<div id="box"><p>${pick(TEASERS, roll)}</p></div>`,
  ad: ({ roll }: Look) => {
    const at = roll(ADS.length);
    return `<div class="ad"><a href="https://ads.test/c?id=${at}&amp;z=${hex(10, roll)}"><img src="https://ads.test/b${at}.png" alt="${ADS[at]}"></a><p>Advertisement</p></div>`;
  },
  weather: ({ weekly }: Look) => `<div class="weather"><strong>Weather</strong> <p>${pick(SKIES, weekly)}, ${3 + weekly(20)} °C</p></div>`,
  weatherNow: ({ roll }: Look) => `<div><h3>Weather now</h3><p>${pick(SKIES, roll)}, ${3 + roll(20)}°C, wind ${roll(40)} km/h</p></div>`,
  rates: ({ roll }: Look) =>
    `<div class="ticker">EUR/USD 1.0${10 + roll(80)} · Gold ${number(2300 + roll(90))} · DAX ${number(18_000 + roll(900))}</div>`,
  quote: ({ roll }: Look) => `<blockquote>${pick(QUOTES, roll)}</blockquote>`,
  poll: ({ request }: Look) => `<div class="poll"><p>Our poll: 412 of ${number(700 + request)} votes say yes</p></div>`,
  cookies: ({ roll }: Look) =>
    roll(2) === 0
      ? `<div class="cookie-banner"><p>We use cookies to improve this site.</p><button>Accept</button> <a href="/privacy">Learn more</a></div>`
      : "",
  greeting: ({ roll }: Look) => `<p>${["Good morning", "Good evening", "Welcome back", "Hello"][roll(4)]}, guest!</p>`,
  captcha: ({ roll }: Look) => `<p><label>Spam check: what is ${1 + roll(9)} + ${1 + roll(9)}? <input name="sum"></label></p>`,
  countdown: ({ roll }: Look) =>
    `<p>Offer ends in ${String(roll(24)).padStart(2, "0")}:${String(10 + roll(49))}:${String(10 + roll(49))}</p>`,
  variant: ({ roll }: Look) =>
    `<p>${["Sign up today and never miss a thing.", "Get the newsletter: all that happens, once a week."][roll(2)]}</p>`,
  replies: ({ run, own }: Look) => `<p><a href="#comments">${own(20) + run * 2} Comments</a></p>`,
  basket: ({ roll }: Look) => `<a href="/basket" rel="nofollow">Basket (${roll(9)})</a>`,
  build: ({ run, weekly }: Look) => `<p>v2.${run}.${weekly(40)} (build 1a${hex(5, weekly)}7)</p>`,
  copyright: ({ run }: Look) => `<p>© 2011–${run > 3 ? 2027 : 2026} The people of the river</p>`,
  quoteOfDay: ({ run }: Look) =>
    `<div><h4>Quote of the day</h4><p>${QUOTES[run % 7]}</p><p>${["Irma Novak", "Paul Durand"][run % 2]}</p></div>`,
  dishOfDay: ({ run }: Look) => `<div><h3>Dish of the day</h3><p>${["Barley soup", "Trout", "Dumplings", "Bean stew"][run % 4]}</p></div>`,
  month: ({ day }: Look) =>
    `<table class="calendar"><caption>${dayOnly.format(day).replace(/^\d+ /, "")}</caption><tr>${Array.from({ length: 7 }, (_, at) => `<td>${1 + ((day.getUTCDate() + at) % 28)}</td>`).join("")}</tr></table>`,
  rating: ({ request, run }: Look) => `<p>4.${run % 10} / 5 (${300 + request} votes)</p>`,
  styleName: ({ roll }: Look) => `<p class="css-${pick(["ad", "rc", "ab"], roll)}${1000 + roll(8999)}">Set in the old type of the mill</p>`,
  accessed: ({ day }: Look) => `<p>Retrieved on ${dayOnly.format(day)}</p>`,
} satisfies Record<string, (look: Look) => string>;

/** Those that name other pages of the site. */
export const lists = {
  related: (targets: readonly Target[], { weekly, own }: Look) =>
    `<section class="related"><h3>Related</h3>${items(several(targets, 3 + own(2), weekly))}</section>`,
  similar: (targets: readonly Target[], { roll }: Look) => `<div><h4>You may also like</h4>${items(several(targets, 3, roll))}</div>`,
  mostRead: (targets: readonly Target[], { run }: Look) =>
    `<div class="box"><h3>Most read</h3>${items(several(targets, 4, (below) => (run * 13 + below * 7) % below))}</div>`,
  latest: (targets: readonly Target[]) => `<div class="box latest-news"><h3>Latest news</h3>${items(targets.slice(-4).reverse())}</div>`,
  popularNow: (targets: readonly Target[], { run }: Look) =>
    `<div><h4>Popular this week</h4>${items(several(targets, 4, (below) => (run * 11 + below * 5) % below))}</div>`,
  cards: (targets: readonly Target[], { weekly }: Look) =>
    `<div><h3>You might also like</h3><div>${several(targets, 2, weekly)
      .map(({ path, title }) => `<div><h4><a href="${path}">${title}</a></h4><p>${title}, told in short.</p></div>`)
      .join("")}</div></div>`,
  trail: (ways: readonly Target[], { roll }: Look) => {
    const way = pick(ways, roll);
    return `<p>You are here: <a href="${way.path}">${way.title}</a></p>`;
  },
  tagCloud: (tags: readonly string[], { weekly }: Look) =>
    `<div class="tag-cloud">${several(tags, 6, weekly)
      .map((tag) => `<a href="/tag/${tag}" style="font-size:${80 + weekly(90)}%">${tag}</a>`)
      .join(" ")}</div>`,
  shuffled: (targets: readonly Target[], { roll }: Look) =>
    `<div class="sponsors"><h4>Our partners</h4>${items(several(targets, 9, roll))}</div>`,
  crumbs: (ways: readonly Target[], { roll }: Look, title: string) => {
    const way = pick(ways, roll);
    return `<div class="breadcrumb"><a href="/">Home</a> &gt; <a href="${way.path}">${way.title}</a> &gt; ${title}</div>`;
  },
};

/** "3 days ago", and from the second month on the date itself. */
export function ageOf(day: Date, now: Date): string {
  const days = Math.max(0, Math.round((now.getTime() - day.getTime()) / 86_400_000));
  if (days < 1) return "today";
  if (days < 14) return days === 1 ? "yesterday" : `${days} days ago`;
  return days < 28 ? `${Math.floor(days / 7)} weeks ago` : dayOnly.format(day);
}
