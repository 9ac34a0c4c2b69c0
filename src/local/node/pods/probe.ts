import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { connect } from 'node:net';
import { errorText } from '../../../api/error-text';
import type { Container, Handler, HttpGetAction, Probe } from '../../core-v1';
import type { CommandResult } from '../../../runtime/host/command';
import { grpcProbe } from './grpc-probe';

export interface ProbeTarget {
  readonly podIP: string;
  readonly container: Container;
  exec(command: readonly string[], timeoutMs: number): Promise<CommandResult>;
}

export interface ProbeResult {
  readonly ok: boolean;
  readonly message: string;
}

/** Runs the action of a probe once. */
export async function tryHandler(handler: Handler, target: ProbeTarget, timeoutMs: number): Promise<ProbeResult> {
  try {
    if (handler.exec) return await execProbe(handler.exec.command ?? [], target, timeoutMs);
    if (handler.httpGet) return await httpProbe(handler.httpGet, target, timeoutMs);
    if (handler.tcpSocket) {
      const { host, port } = handler.tcpSocket;
      return await tcpProbe(host || target.podIP, portOf(port, target.container), timeoutMs);
    }
    if (handler.grpc) {
      const { port, service = '' } = handler.grpc;
      return await grpcProbe(target.podIP, port, service, timeoutMs);
    }
    return { ok: true, message: '' };
  } catch (error) {
    return { ok: false, message: errorText(error) };
  }
}

async function execProbe(command: string[], target: ProbeTarget, timeoutMs: number): Promise<ProbeResult> {
  const { code, stdout, stderr } = await target.exec(command, timeoutMs);
  return { ok: code === 0, message: `${stdout}${stderr}`.slice(0, 10_240) };
}

function portOf(port: number | string, container: Container): number {
  if (typeof port === 'number') return port;
  const named = container.ports?.find(({ name }) => name === port)?.containerPort ?? Number(port);
  if (!Number.isInteger(named)) throw new Error(`couldn't find port: ${port}`);
  return named;
}

function httpProbe(action: HttpGetAction, target: ProbeTarget, timeoutMs: number): Promise<ProbeResult> {
  const secure = action.scheme === 'HTTPS';
  const host = action.host || target.podIP;
  const port = portOf(action.port, target.container);
  const path = (action.path ?? '/').replace(/^(?!\/)/, '/');
  const shown = `${secure ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}${path}`;
  const headers: Record<string, string> = { 'User-Agent': 'kube-probe/1.36', Accept: '*/*', Connection: 'close' };
  for (const { name, value } of action.httpHeaders ?? []) headers[name] = value;
  return new Promise((resolve) => {
    const send = secure ? httpsRequest : httpRequest;
    const request = send({ host, port, path, headers, timeout: timeoutMs, rejectUnauthorized: false }, (response) => {
      const code = response.statusCode ?? 0;
      response.resume();
      // no keep-alive, and redirects are not followed: a redirect is a success
      response.on('close', () => request.destroy());
      const ok = code >= 200 && code < 400;
      resolve({ ok, message: ok ? '' : `HTTP probe failed with statuscode: ${code}` });
    });
    const fail = (why: string): void => resolve({ ok: false, message: `Get "${shown}": ${why}` });
    request.on('timeout', () => {
      fail('context deadline exceeded (Client.Timeout exceeded while awaiting headers)');
      request.destroy();
    });
    request.on('error', (error: NodeJS.ErrnoException) =>
      fail(error.code === 'ECONNREFUSED' ? `dial tcp ${host}:${port}: connect: connection refused` : error.message),
    );
    request.end();
  });
}

function tcpProbe(host: string, port: number, timeoutMs: number): Promise<ProbeResult> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: timeoutMs });
    const settle = (ok: boolean, message = ''): void => {
      socket.destroy();
      resolve({ ok, message });
    };
    socket.on('connect', () => settle(true));
    socket.on('timeout', () => settle(false, `dial tcp ${host}:${port}: i/o timeout`));
    socket.on('error', (error: NodeJS.ErrnoException) =>
      settle(
        false,
        `dial tcp ${host}:${port}: ${error.code === 'ECONNREFUSED' ? 'connect: connection refused' : error.message}`,
      ),
    );
  });
}

export type ProbeKind = 'startup' | 'liveness' | 'readiness';

export interface ProberHandlers {
  /** Called when the result changes. */
  onChange(kind: ProbeKind, ok: boolean, message: string): void;
  /** Called for every failed attempt. */
  onFailure(kind: ProbeKind, message: string): void;
}

/** Runs the probes of a running container: startup first, then liveness and readiness concurrently. */
export class Prober {
  private readonly timers = new Set<NodeJS.Timeout>();
  private stopped = false;

  public constructor(
    private readonly target: ProbeTarget,
    private readonly handlers: ProberHandlers,
    private readonly since: { readonly startedAt: number; readonly started: boolean },
  ) {
    const { startupProbe } = target.container;
    if (startupProbe && !since.started) this.follow('startup', startupProbe);
    else this.afterStartup();
  }

  public stop(): void {
    this.stopped = true;
    for (const timer of this.timers) clearTimeout(timer);
    this.timers.clear();
  }

  private afterStartup(): void {
    const { livenessProbe, readinessProbe } = this.target.container;
    if (livenessProbe) this.follow('liveness', livenessProbe);
    if (readinessProbe) this.follow('readiness', readinessProbe);
  }

  private follow(kind: ProbeKind, probe: Probe): void {
    const period = (probe.periodSeconds ?? 10) * 1000;
    const timeout = (probe.timeoutSeconds ?? 1) * 1000;
    const failuresNeeded = probe.failureThreshold ?? 3;
    const successesNeeded = probe.successThreshold ?? 1;
    let failures = 0;
    let successes = 0;
    let verdict: boolean | undefined;
    const tick = async (): Promise<void> => {
      const { ok, message } = await tryHandler(probe, this.target, timeout);
      if (this.stopped) return;
      successes = ok ? successes + 1 : 0;
      failures = ok ? 0 : failures + 1;
      if (!ok) this.handlers.onFailure(kind, message);
      const next = successes >= successesNeeded ? true : failures >= failuresNeeded ? false : verdict;
      if (next !== verdict && next !== undefined) {
        verdict = next;
        this.handlers.onChange(kind, next, message);
        if (kind === 'startup' && next) return this.afterStartup();
      }
      this.after(period, tick);
    };
    const age = Date.now() - this.since.startedAt;
    // the first readiness probe runs at once, so that a serving Pod is ready without waiting a period
    this.after(Math.max(0, (probe.initialDelaySeconds ?? 0) * 1000 - age), tick);
  }

  private after(ms: number, act: () => Promise<void>): void {
    if (this.stopped) return;
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      void act();
    }, ms);
    this.timers.add(timer);
  }
}
