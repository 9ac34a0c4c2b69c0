import type { X509Certificate } from 'node:crypto';
import type { Server, TLSSocket } from 'node:tls';
import { ChangingFiles } from './changing-files';
import type { ChangingFilesOptions } from './changing-files';
import { parseCertificates, readAuthorities, readKeyPair } from './pem';
import type { KeyPair } from './pem';

/** Certificate of a server, and the authority of its clients. PEM. */
export interface ServingIdentity extends KeyPair {
  readonly ca: string;
}

const MIN_VERSION = 'TLSv1.2';

/** Certificate and client authority of a server, read again when they change. Open connections are kept. */
export class ServingTls {
  private readonly files: ChangingFiles<ServingIdentity>;
  private held: ServingIdentity;
  /** The authority that verified each connection. */
  private readonly verifiedBy = new WeakMap<TLSSocket, string>();

  /** @throws Error when the files cannot be used */
  public constructor(
    { cert, key, ca }: { readonly cert: string; readonly key: string; readonly ca: string },
    options: ChangingFilesOptions,
  ) {
    this.files = new ChangingFiles(
      [cert, key, ca],
      () => ({ ...readKeyPair(cert, key), ca: readAuthorities(ca) }),
      options,
    );
    this.held = this.files.get();
  }

  /** Returns why the current content of the files is not used. */
  public get problem(): string | undefined {
    return this.files.problem;
  }

  /** Options for `createServer`. */
  public get options(): ServingIdentity & { minVersion: typeof MIN_VERSION } {
    return { ...this.held, minVersion: MIN_VERSION };
  }

  /** Makes `server` use the current files when a client connects. */
  public follow(server: Server): void {
    // before the listener that starts the handshake
    server.prependListener('connection', () => {
      const now = this.files.get();
      if (now === this.held) return;
      this.held = now;
      // with new session-ticket keys, so that no session outlives the authority that verified its client
      server.setSecureContext(this.options);
    });
    server.on('secureConnection', (socket) => this.verifiedBy.set(socket, this.held.ca));
  }

  /** Whether a current authority signed the client's certificate, even if the handshake was before a renewal. */
  public believes(socket: TLSSocket): boolean {
    if (!socket.authorized) return false;
    const { ca } = this.files.get();
    return this.verifiedBy.get(socket) === ca || isSignedBy(socket.getPeerX509Certificate(), ca);
  }
}

/** Whether the authority signed it directly: clients with intermediate certificates must reconnect. */
function isSignedBy(certificate: X509Certificate | undefined, ca: string): boolean {
  if (!certificate) return false;
  return parseCertificates(ca, 'client authority').some(
    (authority) => certificate.checkIssued(authority) && certificate.verify(authority.publicKey),
  );
}
