/** Certificates with any fault that a server can show, made with the `openssl` command. */
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export const hasOpenssl = spawnSync("openssl", ["version"]).status === 0;

export interface Issued {
  /** PEM. */
  readonly key: string;
  readonly cert: string;
}

export interface Wanted {
  /** As OpenSSL writes them: `DNS:city.test`, `IP:127.0.0.1`. */
  readonly names?: readonly string[];
  /** Days from now. */
  readonly from?: number;
  readonly until?: number;
  /** Further extensions, one in each line, as OpenSSL writes them. */
  readonly extensions?: readonly string[];
}

export interface Authority extends Issued {
  issue(commonName: string, wanted: Wanted): Issued;
  /** An authority that this one vouches for. */
  below(commonName: string, wanted?: Wanted): Authority;
}

const DAY = 24 * 3_600_000;
const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];
const config = `[ca]
default_ca=here
[here]
database=index.txt
new_certs_dir=.
default_md=sha256
unique_subject=no
rand_serial=yes
policy=any
[any]
commonName=supplied
[req]
distinguished_name=name
[name]
`;

/** `folder` must be empty, and serves all certificates of one test file. */
export function openOffice(folder: string) {
  let count = 0;
  const openssl = (...args: string[]) => execFileSync("openssl", args, { cwd: folder, stdio: "pipe" });
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  const read = (name: string) => readFileSync(join(folder, name), "utf8");
  write("office.cnf", config);
  write("index.txt", "");

  const make = (commonName: string, wanted: Wanted, issuer: string | undefined): string => {
    count += 1;
    const id = `c${count}`;
    const { names = [], from = -1, until = 2, extensions = [] } = wanted;
    openssl("req", "-config", "office.cnf", ...newKey, "-keyout", `${id}.key`, "-out", `${id}.csr`, "-subj", `/CN=${commonName}`);
    write(`${id}.ext`, [...(names.length > 0 ? [`subjectAltName=${names.join(",")}`] : []), ...extensions, ""].join("\n"));
    const signer = issuer === undefined ? ["-selfsign", "-keyfile", `${id}.key`] : ["-cert", `${issuer}.pem`, "-keyfile", `${issuer}.key`];
    const times = ["-startdate", moment(from), "-enddate", moment(until)];
    const what = ["-in", `${id}.csr`, "-out", `${id}.pem`, "-extfile", `${id}.ext`];
    openssl("ca", "-batch", "-notext", "-config", "office.cnf", ...signer, ...times, ...what);
    return id;
  };
  const issued = (id: string): Issued => ({ key: read(`${id}.key`), cert: read(`${id}.pem`) });
  const authority = (commonName: string, wanted: Wanted, issuer: string | undefined): Authority => {
    const id = make(commonName, { ...wanted, extensions: ["basicConstraints=critical,CA:TRUE"] }, issuer);
    return {
      ...issued(id),
      issue: (name, more) => issued(make(name, more, id)),
      below: (name, more = {}) => authority(name, more, id),
    };
  };
  return {
    authority: (commonName: string): Authority => authority(commonName, {}, undefined),
    selfSigned: (commonName: string, wanted: Wanted): Issued => issued(make(commonName, wanted, undefined)),
  };
}

/** YYYYMMDDHHMMSSZ */
const moment = (days: number) => `${new Date(Date.now() + days * DAY).toISOString().replace(/\D/g, "").slice(0, 14)}Z`;
