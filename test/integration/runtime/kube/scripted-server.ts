import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { KubeConfig } from '../../../../src/runtime/kube';

interface Refusal {
  readonly code: number;
  readonly body: object;
}

/**
 * API server with scripted responses that no healthy one sends. Each response is used once: `cut` breaks the connection, a
 * text is the whole stream of a watch, an object the answer to a list. Afterwards it gives `last` to each list, and
 * its watches stay open and silent.
 */
export class ScriptedServer {
  /** `list`, `probe 5` or `watch 5`. */
  public readonly requests: string[] = [];
  /** For lists: the request. */
  public readonly queries: string[] = [];
  /** Answer to all requests while it is set. */
  public refuse?: Refusal;

  private constructor(
    private readonly server: Server,
    private readonly answers: unknown[],
    private readonly last: object,
  ) {}

  public static async start(answers: readonly unknown[], last: object): Promise<ScriptedServer> {
    const server = createServer();
    const scripted = new ScriptedServer(server, [...answers], last);
    server.on('request', (request, response) => scripted.answer(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return scripted;
  }

  public get config(): KubeConfig {
    return { server: `http://127.0.0.1:${(this.server.address() as AddressInfo).port}` };
  }

  /** Breaks all connections. */
  public cut(): void {
    this.server.closeAllConnections();
  }

  public close(): Promise<void> {
    return new Promise((resolve) => {
      this.server.close(() => resolve());
      this.server.closeAllConnections();
    });
  }

  private answer(request: IncomingMessage, response: ServerResponse): void {
    const { searchParams: query } = new URL(request.url ?? '/', 'http://server');
    const isWatch = query.has('watch');
    const isProbe = query.has('resourceVersionMatch');
    const kind = isWatch ? 'watch' : isProbe ? 'probe' : 'list';
    this.requests.push([kind, query.get('resourceVersion')].filter((part) => part !== null).join(' '));
    if (kind === 'list') this.queries.push(query.toString());
    const answer = this.refuse ?? this.answers.shift();
    const json = (code: number, body: object): void => {
      response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    if (answer === 'cut') return void request.socket.destroy();
    if (isRefusal(answer)) return json(answer.code, answer.body);
    if (!isWatch) return json(200, structuredClone((answer as object | undefined) ?? this.last));
    response.writeHead(200, { 'content-type': 'application/json' });
    if (typeof answer === 'string') response.end(answer);
    else response.flushHeaders();
  }
}

const isRefusal = (answer: unknown): answer is Refusal =>
  typeof answer === 'object' && answer !== null && 'code' in answer && 'body' in answer;
