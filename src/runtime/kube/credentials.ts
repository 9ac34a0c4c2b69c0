import { readFileSync } from 'node:fs';
import { ChangingFiles } from './changing-files';
import type { CredentialSource, KubeConfig } from './config';

/** The authority of the API server, and our own credentials. PEM. */
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

/** Current credentials of a configuration: tokens of Pods rotate hourly, and certificates are renewed. */
export class Credentials {
  private readonly held: { get(): Held; expire(): void };
  private tokens?: ChangingFiles<string>;

  public constructor(
    private readonly config: KubeConfig,
    private readonly onError?: (error: Error) => void,
  ) {
    this.held = config.source ? follow(config, config.source, onError) : fixed(config);
  }

  /** Returns the same object until it changes. */
  public tls(): TlsIdentity {
    return this.held.get().tls;
  }

  /** @throws Error when the token has a file that has never contained one */
  public token(): string | undefined {
    const { tokenFile } = this.config;
    if (!tokenFile) return this.held.get().token;
    this.tokens ??= new ChangingFiles([tokenFile], () => readToken(tokenFile), { onError: this.onError });
    return this.tokens.get();
  }

  /** Called when the server rejects the credentials: the files are checked before the next request. */
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
  // a credential that a flag has set is kept
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
