import { describe, expect, test } from "vitest";
import { pageParts, parseDocument } from "../parse/index.ts";
import { contentOf } from "./content.ts";
import { changesBetween } from "./content-changes.ts";
import { NoiseMemory } from "./noise-memory.ts";
import { withoutTimeTexts } from "./time-noise.ts";

const URL = "https://city.example/page";

function contentIn(html: string) {
  const document = parseDocument({
    bytes: new TextEncoder().encode(html),
    ...{ url: URL, contentType: "text/html; charset=utf-8", as: "page", embeddedLinks: false, withTree: true },
  });
  if (!document) throw new Error("no document");
  return contentOf(pageParts(document), URL);
}

/** Whether a change is reported when nothing was learned about the site. */
function isTold(before: string, now: string): boolean {
  const at = Date.UTC(2031, 0, 1);
  const known = { template: new NoiseMemory(), site: new NoiseMemory() };
  const news = changesBetween(contentIn(before), contentIn(now), { before: at, now: at }, known);
  return news.text.length + news.linksAdded.length + news.linksRemoved.length + news.fields.length > 0;
}

const TEXT = "<p>The bridge is there for all who walk, ride or drive over the river.</p>";
const inMain = (html: string) =>
  `<div id=header>City</div><div id=content><h1>Bridge</h1>${TEXT}${html}</div><div id=footer>Town Hall</div>`;
const inSidebar = (html: string) => `<div id=content><h1>Bridge</h1>${TEXT}</div><div class="col sidebar">${html}</div>`;
const inHeader = (html: string) => `<div class=bar>${html}</div><main><h1>Bridge</h1>${TEXT}</main><div>Town Hall</div>`;
const inFooter = (html: string) => `<main><h1>Bridge</h1>${TEXT}</main><div class=legal>${html}</div>`;

describe("what people write is told, though it looks like what passes", () => {
  test.each([
    ["a word in a line whose style a program named", inMain("<p class='css-ad4677 ad4677'>It opens in May.</p>"), "May", "June"],
    [
      "a line below links without words",
      inFooter("<a href=https://x.example/city aria-label='Follow the city on X'><i></i></a><p>Call 12 34</p>"),
      "34",
      "56",
    ],
    [
      "a word of a forum that shows its text without scripts",
      `<h1>Bridge</h1><noscript>${TEXT.repeat(5)}<p>It opens in May.</p></noscript>`,
      "May",
      "June",
    ],
    ["visits that somebody makes", inMain("<ul><li>3 home visits</li></ul>"), "3 home", "5 home"],
    ["how often a year", inMain("<ul><li>Emptied 12 times a year</li></ul>"), "12", "26"],
    ["a number in a view of Drupal", inSidebar("<div class='views-row views-field'>Room 4</div>"), "4", "5"],
    ["a line in a sidebar that is called promo", inSidebar("<div class=block-promo><p>Members pay € 4</p></div>"), "€ 4", "€ 5"],
    ["a page about cookies", inMain("<p>We use cookies for 30 days to count visitors, and you agree to it.</p>"), "30", "60"],
    ["the day from which fees hold", inMain("<p>The fees as of 1 May 2026 hold for all branches.</p>"), "May", "June"],
    ["a day in a list of dates", inSidebar("<h3>Dates</h3><p>Saturday, 7 March 2026: repair café</p>"), "7", "14"],
    ["a time limit in a sentence", inSidebar("<p>Return within 14 days</p>"), "14", "21"],
    ["what can be chosen", inMain("<form><select><option>General</option><option>Praise</option></select></form>"), "Praise", "Complaint"],
    ["what a button says", inMain("<form><button>Register now</button></form>"), "Register now", "Fully booked"],
    ["another topic of a forum", inMain("<p><a href='/topic?t=12'>Read the thread</a></p>"), "t=12", "t=13"],
    ["another port of departure", inMain("<p><a href='/ferry?from=oslo'>Timetable</a></p>"), "oslo", "bergen"],
    ["market hours", inSidebar("<h3>Markets</h3><p>8.00–14.00</p>"), "14.00", "15.00"],
    ["a sentence in a box called share", inMain(`<p class="share-text">Sharing is caring! The ferry runs in May.</p>`), "May", "June"],
    [
      "a word of an article in a box called share",
      inMain(`<div class="fb-like share">${TEXT.repeat(20)}<p>It opens in May.</p></div>`),
      "May",
      "June",
    ],
    [
      "a word in a section whose anchor says so",
      `<div id=FOR-SHARE><div><h2>Locks</h2></div>${TEXT}<p>It waits.</p></div>`,
      "waits",
      "fails",
    ],
    [
      "a number below the quote of the day",
      inSidebar("<h3>Quote of the day</h3><p>All is well.</p><p>Ann Smith</p><p>Call 555 12</p>"),
      "555 12",
      "555 19",
    ],
    ["a number in the place of who said it", inSidebar("<h3>Quote of the day</h3><p>All is well.</p><p>Room 12</p>"), "12", "19"],
    ["the dish of the day, where a page is about it", inMain("<h2>Dish of the day</h2><p>Soup</p><p>Fish pie for € 9</p>"), "Fish", "Meat"],
    ["the version of a program", inSidebar("<p>Latest version: 2.3.1</p>"), "2.3.1", "2.4.0"],
    ["what is on in a calendar", inMain("<table class=calendar><tr><td>Choir rehearsal<td>4</table>"), "Choir", "Band"],
    ["whose copyright it is", inFooter("<p>© 2026 Ann Smith</p>"), "Ann", "Eva"],
    [
      "a year of the law of copyright",
      inMain(`<p>The law of copyright of 1988 holds for all that was written here, and for pictures, music, maps and plans too.</p>`),
      "1988",
      "1998",
    ],
    [
      "a card of a list that nothing is said of",
      inMain("<h2>Walks</h2><div><h3><a href=/w/1>Mill</a></h3><p>Two hours.</p></div>"),
      "Two",
      "Six",
    ],
    ["how many comments a rule allows", inMain("<p>At most 14 comments a day</p>"), "14", "20"],
    ["a word that stands in a dialog", inMain("<div role=dialog><h3>Booking</h3><p>Two places are left.</p></div>"), "Two", "No"],
    ["what a ticket costs", inSidebar("<h3>Prices</h3><p>12.50</p>"), "12.50", "13.50"],
    ["how cold a room is kept", inMain("<p>Kept at 12 °C</p>"), "12", "14"],
    ["what members pay who book online", inMain("<p>Book online: 3 members pay € 12</p>"), "€ 12", "€ 14"],
    ["a number after a sign", inMain("<p>🔥 10 new walks</p>"), "10", "12"],
    ["until when an order can be cancelled", inMain("<p>You may cancel your order within 24 hours</p>"), "24", "48"],
    ["where more is told", inMain("<p>More about: <a href=/fees>Fees</a></p>"), "/fees>Fees", "/forms>Forms"],
    ["the stars of a review", inMain("<p>★ 4</p>"), "4", "2"],
    ["a new file in a list of the latest", inMain("<p>Latest: <a href=/a.pdf>Minutes</a></p>"), "/a.pdf", "/b.pdf"],
    ["another site in a list of related ones", inMain("<p>Related: <a href=https://x.example/>Museum</a></p>"), "x.ex", "y.ex"],
    ["a photo under a heading that begins with more", inMain("<h2>More about us</h2><p><img src=/a.jpg alt=Crew></p>"), "/a.jpg", "/b.jpg"],
    ["the alternative text of one of two photos", inMain("<img src=/a.jpg alt=Crew><img src=/b.jpg alt=Ship>"), "Ship", "Boat"],
    ["a date in the header of an article", inMain("<div class=header><p>3 May 2026</p></div>"), "3 May", "4 May"],
    ["the day of the week", inMain("<p>Open on Monday</p>"), "Monday", "Tuesday"],
    ["how many members a club has", inMain("<p>Members: 240</p>"), "240", "250"],
    ["the price below a heading of a page", inMain("<h2>Menu of the week</h2><p>Soup</p><p>€ 9</p>"), "€ 9", "€ 8"],
  ])("%s", (_, html, was, is) => {
    expect(html).toContain(was);
    expect(isTold(html, html.replace(was, is))).toBe(true);
  });

  test("a heading, where the page also links to itself in a list that takes turns", () => {
    const page = (name: string, others: string) =>
      inMain(`<ul><li><a href=/a>${others}</a></li></ul>`).replace(
        "<h1>Bridge</h1>",
        `<ul><li><a href=/page>Bridge</a></li></ul><h1>${name}</h1>`,
      );
    const [before, now] = [page("Bridge", "Tower"), page("Bridge of iron", "Tower")].map(contentIn);
    const known = { template: new NoiseMemory(), site: new NoiseMemory() };
    const news = changesBetween(before!, now!, { before: 0, now: 0 }, known);
    expect(news.text).toMatchObject([{ removed: ["Bridge"], added: ["Bridge of iron"] }]);
  });
});

describe("what passes is not told, also where a page has divs for everything", () => {
  test.each([
    [
      "the day in a bar above the main part",
      inHeader("Monday, 2 March 2026 12.4 C Northfield"),
      "Monday, 2 March 2026 12.4",
      "Tuesday, 3 March 2026 9.1",
    ],
    [
      "the week of the year",
      inHeader("2 March 2026, 08:05:30 Week 10 of the year"),
      "2 March 2026, 08:05:30 Week 10",
      "9 March 2026, 11:54:56 Week 11",
    ],
    ["when it was updated", inFooter("Last updated: 2 March 2026"), "2 March", "9 March"],
    [
      "when it was changed, and by whom",
      inMain("<p>Last change: 2 March 2026 | <a href='mailto:a@city.example'>Web office</a></p>"),
      "2 March",
      "9 March",
    ],
    ["a greeting", inHeader("Good morning! Delivery is free"), "morning", "evening"],
    ["whether an office is open now", inSidebar("<h3>Office</h3><p>We are open now</p>"), "open", "closed"],
    ["how long it is to something", inSidebar("<h3>Next meeting</h3><p>in 14 days</p>"), "14", "7"],
    [
      "shares of a poll",
      inSidebar("<h3>Poll: a new pool?</h3><p>Yes 40 % · No 60 % (1,203 votes)</p>"),
      "40 % · No 60 % (1,203",
      "41 % · No 59 % (1,344",
    ],
    [
      "what a stock exchange says",
      inSidebar("<h3>Markets</h3><table><tr><td>Index<td>18,466.2<td>-1.96 %</table>"),
      "18,466.2<td>-1.96",
      "18,642.9<td>-0.66",
    ],
    ["a rate of exchange", inFooter("<p>1 EUR = 1.0788 USD</p>"), "1.0788", "1.0665"],
    ["how a shop is rated", inFooter("<p>4.84 of 5 from 20,110 ratings</p>"), "4.84 of 5 from 20,110", "4.74 of 5 from 20,151"],
    ["when a parcel comes", inMain("<p>Delivered by Thursday, 5 March</p>"), "5 March", "12 March"],
    ["how many found it helpful", inMain("<p>Ulrich Marchetti 3 people found this helpful</p>"), "3 people", "5 people"],
    ["a number of views that stands alone", inMain("<div class=post-views>1077</div>"), "1077", "1590"],
    [
      "the quote of the day in a line",
      inFooter("<p>Quote of the day: All is well that ends well.</p>"),
      "All is well that ends well",
      "Time flies",
    ],
    [
      "a list with dates",
      inSidebar("<h3>Upcoming events</h3><ul><li>4 March 2026 <a href=/t/1>Talk: the old station</a></ul>"),
      "4 March 2026 <a href=/t/1>Talk: the old station",
      "9 March 2026 <a href=/t/2>Talk: the square",
    ],
    [
      "a feed of others",
      inSidebar("<div class=block-feed><h3>County</h3><ul><li><a href=https://county.example/1>Snow</a></ul></div>"),
      "1>Snow",
      "2>Rain",
    ],
    ["a board of departures", inSidebar("<h3>Next departures</h3><ul><li>21:40 Central Station</ul>"), "21:40", "21:47"],
    ["a session id that looks like a word", inMain("<p><a href='/in?b=2&sid=cazoiqgb8cuv'>Log in</a></p>"), "cazoiqgb8cuv", "expcwegitpru"],
    ["a number of views in a line with a name", inMain("<span class=views><i class=eye></i> 1.4k</span>"), "1.4k", "2.1k"],
    [
      "cards of pages that are like it",
      inMain("<h3>You might also like</h3><div class=x><div><h4><a href=/a>Tower</a></h4><p>About the tower.</p></div></div>"),
      "/a>Tower</a></h4><p>About the tower",
      "/b>Gate</a></h4><p>About the gate",
    ],
    ["what is popular this week", inSidebar("<h4>Popular this week</h4><ul><li><a href=/a>Tower</a></ul>"), "/a>Tower", "/b>Gate"],
    ["a rail by its name", `<div id=content><h1>Bridge</h1>${TEXT}</div><div class=rail><h3>Poll</h3><p>Yes 58%</p></div>`, "58%", "61%"],
    ["a number of comments", inMain("<p><a href='#comments'>14 Comments</a></p>"), "14", "16"],
    ["what is in a basket", inHeader("<a href=/cart>Cart: 0 items</a>"), "0 items", "2 items"],
    ["the build of a program", inFooter("<p>v4.1.28 (build 1ae2087)</p>"), "4.1.28 (build 1ae2087)", "4.2.3 (build c4edd87)"],
    ["the year of a copyright", inFooter("<p>© 2009–2026 City</p>"), "2026", "2027"],
    [
      "who said the quote of the day",
      inSidebar("<h4>Quote of the day</h4><p>All is well.</p><p>Ann Smith</p>"),
      "All is well.</p><p>Ann Smith",
      "Time flies.</p><p>Eva Stone",
    ],
    ["the dish of the day beside a page", inSidebar("<h3>Dish of the day</h3><p>Fish pie</p>"), "Fish", "Meat"],
    [
      "the days of a small calendar",
      inSidebar("<table class=calendar><caption>May 2026</caption><tr><td>4<td>5</table>"),
      "4<td>5",
      "11<td>12",
    ],
    ["the way one came", inMain("<p>You are here: <a href=/a>News</a> » Bridge</p>"), "/a>News", "/b>Roads"],
    [
      "a notice about privacy",
      inHeader("<div role=dialog><h2>We value your privacy</h2><button>Accept all</button></div>"),
      "<div role=dialog><h2>We value your privacy</h2><button>Accept all</button></div>",
      "",
    ],
    ["how a page is rated", inSidebar("<p>3.6 / 5 (361 votes)</p>"), "3.6 / 5 (361", "3.4 / 5 (380"],
    ["the weather in a link", inSidebar("<p><a href=/forecast>52°F Fog</a></p>"), "52°F Fog", "75°F Clear"],
    ["how much work a page was", inFooter("<p>Page rendered in 0.341 seconds, 47 queries</p>"), "0.341 seconds, 47", "0.212 seconds, 24"],
    ["posts of others", inMain("<div class=twitter-feed><p>Our tram is new</p></div>"), "tram", "bus"],
    ["a moment in a link", inMain("<p><a href='/print?t=1772000000'>Print</a></p>"), "1772000000", "1772604800"],
    [
      "a greeting with the weather",
      inMain("<div>Good morning, Northfield! 14°C, light rain</div>"),
      "morning, Northfield! 14°C, light rain",
      "evening, Northfield! 3°C, fog",
    ],
    ["the weather of a place", inMain("<span>Northfield 22° clear</span>"), "22° clear", "9° snow showers"],
    ["reactions and followers", inMain("<p>❤ 1,708</p><p>12.2K followers</p>"), "1,708</p><p>12.2K", "1,721</p><p>12.3K"],
    [
      "the figures of a forum",
      inMain("<p>Total posts 91,243 • Total members 2,411 • Our newest member <a href=/u/1>wren</a></p>"),
      "91,243 • Total members 2,411 • Our newest member <a href=/u/1>wren",
      "91,312 • Total members 2,415 • Our newest member <a href=/u/9>ludo",
    ],
    ["who reads a forum", inMain("<p>Users browsing this forum: wren, ludo and 4 guests</p>"), "wren, ludo and 4", "pasha and 9"],
    [
      "who is online",
      inMain("<p>There are 57 users online :: 3 registered and 53 guests</p>"),
      "57 users online :: 3",
      "61 users online :: 5",
    ],
    ["the time left to order", inMain("<p>Order within 3 h 20 min for dispatch today</p>"), "3 h 20 min", "1 h 2 min"],
    ["the commit of a build", inFooter("<p>Built with Sphinx 7.2.6 from 8f3a2c1</p>"), "8f3a2c1", "b41d7e0"],
    [
      "the price of the offer of the week",
      inSidebar("<h3>Deal of the week</h3><p><a href=/a>Lamp</a></p><p>€19.90</p>"),
      "/a>Lamp</a></p><p>€19.90",
      "/b>Mug</a></p><p>€7.50",
    ],
    ["how a shop is rated, in words", inFooter("<p>Rated 4.7/5 by 12,340 customers</p>"), "4.7/5 by 12,340", "4.8/5 by 12,397"],
    [
      "the ratings in structured data",
      `${inMain("")}<script type=application/ld+json>{"aggregateRating":{"ratingValue":"4.5","ratingCount":309}}</script>`,
      '"4.5","ratingCount":309',
      '"4.6","ratingCount":318',
    ],
    [
      "searches in one line",
      inMain("<p>Popular searches: <a href=/s?q=a>kettle</a>, <a href=/s?q=b>lamp</a></p>"),
      "?q=a>kettle",
      "?q=c>teapot",
    ],
    [
      "a list with its label in the same line",
      inMain("<div><span>Trending</span> <a href=/a>The old tower</a> <a href=/b>The new gate</a></div>"),
      "/a>The old tower",
      "/c>The long wall",
    ],
    [
      "the pictures of such a list",
      inMain("<h3>Customers also viewed</h3><div><a href=/a><img src=/a.jpg alt=Light>Lamp</a></div>"),
      "/a><img src=/a.jpg alt=Light>Lamp",
      "/b><img src=/b.jpg alt=Cup>Mug",
    ],
    ["what a shop offers beside", inMain("<h3>Pairs well with</h3><ul><li><a href=/a>Lamp</a></ul>"), "/a>Lamp", "/b>Mug"],
    [
      "the order of logos",
      inMain("<p><img src=/a.png alt=A><img src=/b.png alt=B></p>"),
      "<img src=/a.png alt=A><img src=/b.png alt=B>",
      "<img src=/b.png alt=B><img src=/a.png alt=A>",
    ],
    [
      "a day in a header by its class",
      `<div class=header><p>2026-03-02</p></div><h1>Bridge</h1>${TEXT}`,
      "<p>2026-03-02</p>",
      "<p>2026-03-09</p>",
    ],
  ])("%s", (_, html, was, is) => {
    expect(html).toContain(was);
    expect(isTold(html, html.replace(was, is))).toBe(false);
  });
});

test("a time to go is left out, and what stands beside it is not", () => {
  const at = { before: Date.UTC(2026, 2, 2, 9), now: Date.UTC(2026, 2, 9, 9) };
  expect(withoutTimeTexts("Closes in 27 days, 12 places", "Closes in 20 days, 11 places", at)).toEqual([
    "Closes {to go}, 12 places",
    "Closes {to go}, 11 places",
  ]);
});

describe("times that only pass", () => {
  const from = Date.UTC(2026, 2, 2, 9);
  const isSame = (was: string, is: string, days = 7) => {
    const [before, now] = withoutTimeTexts(was, is, { before: from, now: from + days * 86_400_000 });
    return before === now;
  };

  test.each([
    ["a short weekday before today's date", "It is currently Mon 2 Mar 2026, 09:00", "It is currently Mon 9 Mar 2026, 10:30"],
    ["today in German", "Heute ist Montag, der 2. März 2026", "Heute ist Montag, der 9. März 2026"],
    ["today in Spanish", "lunes, 2 de marzo de 2026", "lunes, 9 de marzo de 2026"],
    ["days to go", "Closes in 27 days", "Closes in 20 days"],
    ["weeks left", "3 weeks left", "2 weeks left"],
    ["an age that is no longer counted", "Posted 25 days ago", "Posted 30+ days ago"],
  ])("%s", (_, was, is) => {
    expect(isSame(was, is)).toBe(true);
  });

  test.each([
    ["a deadline that was moved", "Closes in 27 days", "Closes in 25 days"],
    ["a time to go, with another word", "Closes in 27 days", "Opens in 20 days"],
    ["days that were not waited", "Closes in 5 days", "Closes in 4 days", 0],
    ["how long something takes", "Delivered in 5 days", "Delivered in 4 days", 1],
    ["a date in German", "Am 12. März 2026", "Am 19. März 2026"],
  ])("but not %s", (_, was, is, days = 7) => {
    expect(isSame(was, is, days)).toBe(false);
  });
});
