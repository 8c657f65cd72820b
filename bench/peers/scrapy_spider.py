"""Scrapy at its leanest: scrapy runspider scrapy_spider.py -a seeds=https://a,https://b. One record a page, in pages.jsonl; no bodies."""

import json
from urllib.parse import urlsplit

import scrapy


class Pages(scrapy.Spider):
    name = "pages"
    custom_settings = {
        "ROBOTSTXT_OBEY": False,
        "COOKIES_ENABLED": False,
        "RETRY_ENABLED": False,
        "REDIRECT_ENABLED": False,
        "TELNETCONSOLE_ENABLED": False,
        "DOWNLOAD_DELAY": 0,
        "DOWNLOAD_TIMEOUT": 60,
        "MEMUSAGE_ENABLED": False,
        "REACTOR_THREADPOOL_MAXSIZE": 4,
        "DEFAULT_REQUEST_HEADERS": {"Accept": "text/html,*/*", "Accept-Encoding": "gzip"},
        "REQUEST_FINGERPRINTER_IMPLEMENTATION": "2.7",
    }

    def __init__(self, seeds, **more):
        super().__init__(**more)
        self.start_urls = [f"{seed}/" for seed in seeds.split(",")]
        self.hosts = {urlsplit(url).netloc for url in self.start_urls}
        self.records = open("pages.jsonl", "w", encoding="utf-8")
        self.pages = 0
        self.seen = set(self.start_urls)

    def parse(self, response):
        if not isinstance(response, scrapy.http.TextResponse):
            return
        links = []
        for href in response.xpath("//a/@href").getall():
            try:
                links.append(response.urljoin(href.strip()).partition("#")[0])
            except ValueError:
                continue  # pages of the web hold addresses that are none
        depth = response.meta.get("depth", 0)
        title = response.xpath("string(//title)").get()
        self.records.write(json.dumps({"url": response.url, "title": title, "depth": depth, "links": links}) + "\n")
        self.pages += 1
        limit = self.settings.getint("DEPTH_LIMIT")
        if limit and depth >= limit:
            return  # spares the scheduler what its depth limit would drop
        for link in links:
            if link in self.seen or urlsplit(link).netloc not in self.hosts:
                continue
            self.seen.add(link)
            yield scrapy.Request(link, dont_filter=True)

    def closed(self, reason):
        self.records.close()
        print(json.dumps({"pages": self.pages}))
