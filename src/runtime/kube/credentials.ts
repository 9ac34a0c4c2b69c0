import { readFileSync } from 'node:fs';
import { ChangingFiles } from './changing-files';
import type { CredentialSource, KubeConfig } from './config';

/** Whom we believe to be the API server, and who we are to it. PEM. */
export interface TlsIdentity {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

interface Held {
  readonly tls: TlsIdentity;
  readonly token?: string;
}

const FIELDS = ['ca', 'cert', 'key', 'token'] as const;

/** The credentials of a configuration as they are now: tokens of Pods rotate hourly, certificates are renewed. */
export class Credentials {
  private readonly held: { get(): Held; expire(): void };
  private tokens?: ChangingFiles<string>;

  public constructor(
    private readonly config: KubeConfig,
    private readonly onError?: (error: Error) => void,
  ) {
    this.held = config.source ? follow(config, config.source, onError) : fixed(config);
  }

  /** The same object until it changes. */
  public tls(): TlsIdentity {
    return this.held.get().tls;
  }

  /** @throws Error when there is a file for the token, and it has never held one */
  public token(): string | undefined {
    const { tokenFile } = this.config;
    if (!tokenFile) return this.held.get().token;
    this.tokens ??= new ChangingFiles([tokenFile], () => readToken(tokenFile), { onError: this.onError });
    return this.tokens.get();
  }

  /** The server does not believe us: looks at the files before the next request. */
  public expire(): void {
    this.held.expire();
    this.tokens?.expire();
  }
}

const heldOf = ({ ca, cert, key, token }: Partial<KubeConfig>): Held => ({ tls: { ca, cert, key }, token });

function fixed(config: KubeConfig): { get(): Held; expire(): void } {
  const held = heldOf(config);
  return { get: () => held, expire: () => undefined };
}

function follow(config: KubeConfig, source: CredentialSource, onError?: (error: Error) => void): ChangingFiles<Held> {
  const first = source.read();
  // what a flag has set instead stays as it is
  const followed = FIELDS.filter((field) => config[field] === first[field]);
  const read = (): Held => {
    const now = source.read();
    return heldOf({ ...config, ...Object.fromEntries(followed.map((field) => [field, now[field]])) });
  };
  return new ChangingFiles(source.files, read, { onError });
}

function readToken(file: string): string {
  const token = readFileSync(file, 'utf8').trim();
  if (!token) throw new Error(`${file}: contains no token`);
  return token;
}
