import fc from "fast-check";
import { expect, test } from "vitest";
import {
  compileScope,
  hash64,
  hostOf,
  type KeyOptions,
  keyOf,
  normaliseEscapes,
  originOf,
  registrableDomain,
  resolve,
  suspect,
  templateOf,
} from "../../src/analysis/url/index.ts";
import { numRuns, soup } from "./soup.ts";

const pieces =
  "http:// https:// HTTP: // / \\ ? # @ : ; & = + . .. %2e %2F %zz %u011f %C3%A9 %FF % %25 %2541 %252e %%32 36 31 %3A a.test B.Test xn--mgba 127.1 0x7f.0.0.1 [::1] [::ffff:1.2.3.4] １２７ 。 ｅ é 例 :80 :443 :0 :99999 user:pw@ a b page=2 sid=0123456789abcdef utm_source=x a[]=1 2024/05 ../ ./ javascript: data: file:/// ftp://".split(
    " ",
  );
const urls = soup(pieces, 16);
const options: fc.Arbitrary<KeyOptions> = fc.record({
  stripParams: fc.constantFrom<string[]>([], ["utm_*", "sid"]),
  sortParams: fc.boolean(),
  maxParams: fc.constantFrom(Number.POSITIVE_INFINITY, 0, 2),
});

test("normalising is idempotent, and what we ask is asked the same way again", () => {
  fc.assert(
    fc.property(urls, fc.constantFrom(undefined, "http://base.test/a/b?c"), options, (raw, base, how) => {
      const resolved = resolve(raw, base, how);
      if (!resolved) return;
      const { url, key, host } = resolved;
      expect(url).toMatch(/^https?:\/\/[^/?#@]+\/[^#]*$/);
      expect(resolve(url, undefined, how)).toMatchObject({ url, key, host });
      expect(keyOf(key, how)).toBe(key);
      expect(hostOf(url)).toBe(host);
      expect(hash64(key, { hi: 1, lo: 2 })).toEqual(hash64(key, { hi: 1, lo: 2 }));
    }),
    { numRuns },
  );
});

test("the same place written otherwise has the same key", () => {
  const how = { stripParams: [], sortParams: false, maxParams: Number.POSITIVE_INFINITY };
  const word = fc.string({ unit: fc.constantFrom(..."abcdefghij-_~"), minLength: 1, maxLength: 8 });
  const escaped = (text: string) => [...text].map((char) => `%${char.charCodeAt(0).toString(16)}`).join("");
  fc.assert(
    fc.property(word, word, word, (host, path, name) => {
      fc.pre(!host.includes("_") && !host.includes("~") && !host.startsWith("-") && !host.endsWith("-"));
      const plain = keyOf(`http://${host}.test/${path}?${name}`, how);
      for (const other of [
        `HTTP://${host.toUpperCase()}.TEST:80/${path}?${name}#x`,
        `http://u:p@${host}.test/x/../${path}?${name}`,
        `http://${host}.test./${escaped(path)}?${escaped(name)}`,
      ])
        expect(keyOf(other, how)).toBe(plain);
    }),
    { numRuns },
  );
});

test("no question about a URL throws, whatever it is", () => {
  const scope = compileScope(["http://a.test/x/"], {
    scope: "domain",
    include: ["/x/**", "**/b*"],
    exclude: ["**?page=*", "/\\.pdf$/"],
    maxComponents: 10,
    maxLength: 200,
    skipExtensions: ["png"],
    denyHosts: ["*.deny.test"],
  });
  fc.assert(
    fc.property(urls, urls, (url, parent) => {
      expect(templateOf(templateOf(url)).length).toBeLessThan(2000);
      expect(typeof scope(url).ok).toBe("boolean");
      for (const ask of [originOf, normaliseEscapes, registrableDomain]) expect(() => ask(url)).not.toThrow();
      const suspicion = suspect(url, parent);
      if (suspicion) expect(suspicion.rule).not.toBe("");
    }),
    { numRuns },
  );
});
