import { expect, test } from "vitest";
import { resolveConfig } from "../../engine/config/index.ts";
import { modelEndpoint } from "./model-endpoint.ts";

const place = (values: object, env: NodeJS.ProcessEnv = {}) =>
  modelEndpoint(resolveConfig([{ from: "a test", values: { llm: "m", ...values } }]), env);
const openai = "https://api.openai.com/v1";
const other = "https://models.test/v1";

test.each<[string, string, NodeJS.ProcessEnv, string | undefined]>([
  ["the key of ours goes to whoever is named beside it", other, { NUTHATCH_LLM_KEY: "ours", NUTHATCH_LLM_URL: other }, "ours"],
  ["at whatever path of that origin", other, { NUTHATCH_LLM_KEY: "ours", NUTHATCH_LLM_URL: "https://models.test/v2" }, "ours"],
  ["also to OpenAI, before the one that everybody knows", openai, { NUTHATCH_LLM_KEY: "ours", OPENAI_API_KEY: "theirs" }, "ours"],
  ["OpenAI's own goes there", openai, { OPENAI_API_KEY: " theirs\n" }, "theirs"],
  ["and to nobody else", other, { OPENAI_API_KEY: "theirs" }, undefined],
  ["not even to one that looks like it", "https://api.openai.com.models.test/v1", { OPENAI_API_KEY: "theirs" }, undefined],
  ["a model on this machine needs none", "http://localhost:11434/v1", {}, undefined],
])("%s", (_, llmUrl, env, key) => {
  expect(place({ llmUrl }, env)).toMatchObject({ model: "m", key });
});

test.each<[string, object, NodeJS.ProcessEnv, RegExp]>([
  ["without encryption only near ones are asked", { llmUrl: "http://models.test/v1" }, {}, /models.test would be asked without encryption/],
  ["an address that begins like loopback is not near", { llmUrl: "http://127.0.0.1.models.test/v1" }, {}, /without encryption/],
  [
    "a private address is near only if somebody says so",
    { llmUrl: "http://10.1.2.3/v1", allowPrivate: ["10.9.0.0/16"] },
    {},
    /without encryption/,
  ],
  ["OpenAI wants a key", { llmUrl: openai }, {}, /no key for api.openai.com/],
  ["a key goes to nobody who is not named beside it", { llmUrl: other }, { NUTHATCH_LLM_KEY: "ours" }, /not sent to models\.test/],
  [
    "nor to another port of who is",
    { llmUrl: "https://models.test:8443/v1" },
    { NUTHATCH_LLM_KEY: "ours", NUTHATCH_LLM_URL: other },
    /not sent to models\.test:8443/,
  ],
  [
    "a key is one word, and is not repeated",
    { llmUrl: other },
    { NUTHATCH_LLM_KEY: "two words" },
    /^NUTHATCH_LLM_KEY holds characters that no key has$/,
  ],
])("%s", (_, values, env, message) => {
  expect(() => place(values, env)).toThrow(message);
});

test.each([
  ["http://127.0.64.1:8080/v1"],
  ["http://[::1]:1/v1"],
  ["http://model.localhost/v1"],
  ["http://10.1.2.3/v1"],
  ["http://box:8000/v1"],
])("%s may be asked as it is", (llmUrl) => {
  expect(place({ llmUrl, allowPrivate: ["10.0.0.0/8", "box"] })).toBeDefined();
});

test("without a model nothing is asked", () => {
  expect(place({ llm: undefined })).toBeUndefined();
});
