import { randomBytes } from 'node:crypto';
import type { X509Certificate } from 'node:crypto';
import type { Server, TLSSocket } from 'node:tls';
import { ChangingFiles } from './changing-files';
import type { ChangingFilesOptions } from './changing-files';
import { parseCertificates, readAuthorities, readKeyPair } from './pem';
import type { KeyPair } from './pem';

/** Whom a server is, and whose clients it believes. PEM. */
export interface ServingIdentity extends KeyPair {
  readonly ca: string;
}

const MIN_VERSION = 'TLSv1.2';

/** The certificate and the client authority of a server, followed while it runs. Open connections stay. */
export class ServingTls {
  private readonly files: ChangingFiles<ServingIdentity>;
  private held: ServingIdentity;
  /** The authority by which each connection was judged. */
  private readonly judgedBy = new WeakMap<TLSSocket, string>();

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

  /** Why the files are not used as they are now. */
  public get problem(): string | undefined {
    return this.files.problem;
  }

  /** For `createServer`. */
  public get options(): ServingIdentity & { minVersion: typeof MIN_VERSION } {
    return { ...this.held, minVersion: MIN_VERSION };
  }

  /** Lets `server` use the files as they are when a client connects. */
  public follow(server: Server): void {
    // before the listener that begins the handshake
    server.prependListener('connection', () => {
      const now = this.files.get();
      if (now === this.held) return;
      this.held = now;
      // other keys for tickets: a session must not outlive the authority that its client was judged by
      server.setSecureContext({ ...this.options, ticketKeys: randomBytes(48) });
    });
    server.on('secureConnection', (socket) => this.judgedBy.set(socket, this.held.ca));
  }

  /** The client's certificate is signed by a present authority, also when the handshake was before a renewal. */
  public believes(socket: TLSSocket): boolean {
    if (!socket.authorized) return false;
    const { ca } = this.files.get();
    return this.judgedBy.get(socket) === ca || isSignedBy(socket.getPeerX509Certificate(), ca);
  }
}

/** Directly: clients with intermediate certificates connect again. */
function isSignedBy(certificate: X509Certificate | undefined, ca: string): boolean {
  if (!certificate) return false;
  return parseCertificates(ca, 'client authority').some(
    (authority) => certificate.checkIssued(authority) && certificate.verify(authority.publicKey),
  );
}
