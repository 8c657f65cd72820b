/** Certificates made for one test, by an authority that nobody else trusts. */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface Certificates {
  /** PEM file of the authority. */
  readonly ca: string;
  readonly key: string;
  readonly cert: string;
}

/** `names` as OpenSSL writes them: `DNS:city.test`, `IP:127.0.32.1`. */
export function makeCertificates(folder: string, names: readonly string[]): Certificates {
  const openssl = (...args: string[]) => execFileSync("openssl", args, { cwd: folder, stdio: "pipe" });
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];
  openssl("req", "-x509", ...key, "-keyout", "ca.key", "-out", "ca.pem", "-days", "2", "-subj", `/CN=Office ${folder.replace(/\W/g, "")}`);
  openssl("req", ...key, "-keyout", "site.key", "-out", "site.csr", "-subj", "/CN=site");
  writeFileSync(join(folder, "names.txt"), `subjectAltName=${names.join(",")}\n`);
  const signed = ["-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", "2", "-extfile", "names.txt"];
  openssl("x509", "-req", "-in", "site.csr", ...signed, "-out", "site.pem");
  const read = (name: string) => readFileSync(join(folder, name), "utf8");
  return { ca: join(folder, "ca.pem"), key: read("site.key"), cert: read("site.pem") };
}
