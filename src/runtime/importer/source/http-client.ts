import { Agent as HttpAgent, get as httpGet, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { Agent as HttpsAgent, get as httpsGet } from 'node:https';
import { errorText } from '../../../api/error-text';
import { ImportError } from '../import-error';
import { assertAllowedHost, ForbiddenAddress, isLoopbackHost, lookupWithin } from './addresses';
import { LIMITS, type HttpLimits } from './limits';

export interface HttpOptions {
  /** Accepts every certificate (`insecureSkipVerify`). */
  readonly isInsecure?: boolean;
  /** `user:password` for basic authentication. Sent only to the first host. */
  readonly login?: string;
  /** Headers of the user. Sent only to the first host, because they may be secret. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Returns headers that prove the identity of the sender of a request. Called for requests to the first host. */
  readonly sign?: (url: URL) => OutgoingHttpHeaders;
  /** Returns a header for a server that answers 401 with this `WWW-Authenticate`; undefined if there is none. */
  readonly authorize?: (challenge: string, client: HttpClient, server: URL) => Promise<string | undefined>;
  /** Variables `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY`. */
  readonly proxy?: NodeJS.ProcessEnv;
  readonly limits?: HttpLimits;
}

const MOST_REDIRECTS = 10;
const REDIRECTS = [301, 302, 303, 307, 308];

/** Response with status 200 or 206. Its body ends with an error if the server is silent. */
export interface HttpResponse {
  readonly message: IncomingMessage;
  /** URL after redirects. */
  readonly url: string;
}

/** Facts about a URL besides its text. */
export interface HttpPlace {
  /** URL of the server that named the URL, if not the user named it. */
  readonly requester?: URL;
  /** URL after the redirects of an earlier request, at which this one begins. Credentials are only sent to the first host. */
  readonly from?: string;
}

/** Response with another status. */
export class StatusError extends ImportError {
  public constructor(
    public readonly status: number,
    ...given: ConstructorParameters<typeof ImportError>
  ) {
    super(...given);
  }
}

/** GET requests of an import: redirects, authentication, time limits and forbidden addresses. */
export class HttpClient {
  public readonly limits: HttpLimits;
  private readonly http: HttpAgent;
  private readonly https: HttpsAgent;
  private authorization?: string;

  public constructor(private readonly options: HttpOptions = {}) {
    this.limits = options.limits ?? LIMITS;
    const shared = { keepAlive: true, maxSockets: 4, proxyEnv: options.proxy };
    this.http = new HttpAgent(shared);
    this.https = new HttpsAgent({ ...shared, rejectUnauthorized: !options.isInsecure });
  }

  /**
   * Sends a GET request, and follows redirects.
   * @throws StatusError for every other status
   */
  public async get(
    url: string,
    headers: OutgoingHttpHeaders = {},
    { requester, from }: HttpPlace = {},
  ): Promise<HttpResponse> {
    const first = new URL(url);
    const canBeLocal = isLoopbackHost(requester ?? first);
    let current = from === undefined ? first : new URL(from);
    for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
      const message = await this.send(current, { ...this.own(current, first), ...headers }, canBeLocal);
      const status = message.statusCode ?? 0;
      if (status === 200 || status === 206) return { message, url: current.href };
      const { location, 'www-authenticate': challenge } = message.headers;
      message.resume();
      message.destroy();
      // a token may also have expired
      if (status === 401 && challenge && current.origin === first.origin && redirects === 0) {
        this.authorization = await this.options.authorize?.(challenge, this, first);
        if (this.authorization) continue;
      }
      if (!REDIRECTS.includes(status) || !location) throw rejected(current, status, message);
      current = this.redirected(current, location);
    }
    throw new ImportError(
      'SourceRejected',
      `${shown(first)} redirects more than ${MOST_REDIRECTS} times`,
      'use the URL of the image itself',
    );
  }

  public close(): void {
    this.http.destroy();
    this.https.destroy();
  }

  /** Headers that only the first host receives. */
  private own(url: URL, { origin }: URL): OutgoingHttpHeaders {
    if (url.origin !== origin) return {};
    const { login, headers } = this.options;
    const given = login ?? (url.username ? `${decode(url.username)}:${decode(url.password)}` : undefined);
    const authorization = this.authorization ?? (given && `Basic ${Buffer.from(given).toString('base64')}`);
    return { ...headers, ...(authorization ? { authorization } : {}), ...this.options.sign?.(url) };
  }

  private redirected(from: URL, location: string): URL {
    const refuse = (why: string): ImportError =>
      new ImportError('SourceRejected', `${shown(from)} redirects to ${why}`, 'use the URL of the image itself');
    if (!URL.canParse(location, from.href)) throw refuse('a URL that is not valid');
    const to = new URL(location, from);
    if (!['http:', 'https:'].includes(to.protocol)) throw refuse(`${to.protocol.slice(0, 20)} (allowed: http, https)`);
    if (from.protocol === 'https:' && to.protocol === 'http:') throw refuse(`${shown(to)}, without encryption`);
    return to;
  }

  private send(url: URL, headers: OutgoingHttpHeaders, canBeLocal: boolean): Promise<IncomingMessage> {
    const { headersMs, silenceMs } = this.limits;
    return new Promise((resolve, reject) => {
      const fail = (error: unknown): void => reject(unreachable(url, error));
      try {
        assertAllowedHost(url, canBeLocal);
        const options = { headers: { ...headers, 'accept-encoding': 'identity' }, lookup: lookupWithin(canBeLocal) };
        const request =
          url.protocol === 'https:'
            ? httpsGet(url, { ...options, agent: this.https }, resolve)
            : httpGet(url, { ...options, agent: this.http }, resolve);
        // not a limit on silence, which single bytes of endless headers would reset
        const late = setTimeout(
          () => request.destroy(new Error(`no response within ${headersMs / 1000} s`)),
          headersMs,
        );
        request.on('close', () => clearTimeout(late));
        request.on('error', fail);
        request.on('response', (message) => {
          clearTimeout(late);
          message.setTimeout(silenceMs, () => message.destroy(new Error(`no bytes within ${silenceMs / 1000} s`)));
        });
      } catch (error) {
        fail(error);
      }
    });
  }
}

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** URL for messages: without login and query, which may be secret. */
export const shown = ({ protocol, host, pathname }: URL): string => `${protocol}//${host}${pathname}`.slice(0, 300);

function rejected(url: URL, status: number, { statusMessage = '' }: IncomingMessage): ImportError {
  // the range of an empty file cannot be satisfied
  if (status === 416) return new ImportError('ImageInvalid', `${shown(url)} is empty`, 'check the URL');
  const remedy =
    status === 401 || status === 403
      ? 'check the Secret of secretRef and the permissions of its user'
      : status === 404 || status === 410
        ? 'check the URL'
        : 'check the server; the import is repeated';
  return new StatusError(
    status,
    'SourceRejected',
    `${shown(url)}: HTTP ${status} ${statusMessage.slice(0, 80)}`.trim(),
    remedy,
  );
}

function unreachable(url: URL, error: unknown): ImportError {
  if (error instanceof ForbiddenAddress) {
    const remedy = 'use a server with another address; an import connects to no link-local address, nor to its own Pod';
    return new ImportError('SourceRejected', `${shown(url)}: ${error.message}`, remedy, { cause: error });
  }
  const code = (error as NodeJS.ErrnoException).code ?? '';
  const isCertificate = /CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS/.test(code);
  const remedy = isCertificate
    ? 'put the authority of the certificate into the ConfigMap of certConfigMap'
    : code === 'EPROTO' && url.protocol === 'https:'
      ? 'if the server uses HTTP without TLS, write http:// in the URL; ' +
        `for a registry, add ${url.host} to insecureRegistries of the CDIConfig`
      : 'check the host name, the port, and network policies';
  return new ImportError('SourceUnreachable', `${shown(url)}: ${errorText(error)}`, remedy, { cause: error });
}
