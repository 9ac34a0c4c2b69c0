import { readFileSync } from 'node:fs';
import { ChangingFiles } from './changing-files';
import type { KubeConfig } from './config';

/** Whom we believe to be the API server, and who we are to it. PEM. */
export interface TlsIdentity {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

/** The credentials of a configuration as they are now: tokens of Pods rotate hourly, certificates are renewed. */
export class Credentials {
  private readonly files?: ChangingFiles<{ tls: TlsIdentity; token?: string }>;
  private readonly tokens?: ChangingFiles<string>;
  private readonly fixed: TlsIdentity;

  /** @throws Error when the token's file cannot be read */
  public constructor(
    private readonly config: KubeConfig,
    onError?: (error: Error) => void,
  ) {
    const { ca, cert, key, tokenFile, source } = config;
    this.fixed = { ca, cert, key };
    if (source) {
      const read = (): { tls: TlsIdentity; token?: string } => {
        const now = source.read();
        return { tls: { ca: now.ca, cert: now.cert, key: now.key }, token: now.token };
      };
      this.files = new ChangingFiles(source.files, read, { onError });
    }
    if (tokenFile) this.tokens = new ChangingFiles([tokenFile], () => readToken(tokenFile), { onError });
  }

  /** The same object until it changes. */
  public tls(): TlsIdentity {
    return this.files?.get().tls ?? this.fixed;
  }

  public token(): string | undefined {
    return this.tokens?.get() ?? (this.files ? this.files.get().token : this.config.token);
  }

  /** The server does not believe us: looks at the files before the next request. */
  public expire(): void {
    this.files?.expire();
    this.tokens?.expire();
  }
}

function readToken(file: string): string {
  const token = readFileSync(file, 'utf8').trim();
  if (!token) throw new Error(`${file}: contains no token`);
  return token;
}
