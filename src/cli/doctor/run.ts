import { resolve } from 'node:path';
import { KubeClient } from '../../client/kube';
import { defaultStateDir, enginePaths } from '../../local/engine/paths';
import { isAlive, readRecord } from '../../local/engine/record';
import { Connection, type GlobalFlags } from '../connection';
import { messageOf } from '../errors';
import { clientVersion, userAgent } from '../version';
import { clusterChecks, engineChecks } from './checks';
import { diagnose, exitCodeOf, type Diagnosis } from './diagnose';
import type { EngineFacts, Facts } from './facts';
import { error } from './finding';
import { gather, type Gathered } from './gather';
import { jsonOf, textOf, type Subject } from './print';

export interface DoctorFlags extends GlobalFlags {
  readonly output?: 'text' | 'json';
  readonly stateDir?: string;
}

/** `virt8s doctor`. Prints all results, and returns the exit code. */
export async function runDoctor(flags: DoctorFlags): Promise<number> {
  const { subject, results } = await examine(flags);
  console.log(flags.output === 'json' ? jsonOf(subject, results) : textOf(subject, results));
  return exitCodeOf(results);
}

export interface Examined {
  readonly subject: Subject;
  readonly results: readonly Diagnosis[];
}

/** Examines the cluster, the engine of this machine, or both. */
export async function examine(flags: DoctorFlags): Promise<Examined> {
  const stateDir = resolve(flags.stateDir ?? defaultStateDir());
  const record = readRecord(enginePaths(stateDir).record);
  const isUp = isAlive(record);
  // without an API server, the engine of this machine can still be examined
  if (flags.stateDir !== undefined && !isUp) return engineOnly(await engineOf(stateDir, flags));
  let connection: Connection;
  try {
    const kubeconfig = flags.stateDir === undefined ? flags.kubeconfig : enginePaths(stateDir).kubeconfig;
    connection = await Connection.open({ ...flags, kubeconfig });
  } catch (failure) {
    if (!record || namesCluster(flags)) throw failure;
    return engineOnly(await engineOf(stateDir, flags));
  }
  try {
    const isOfEngine = isUp && record.url === connection.config.server;
    return await ofCluster(connection, flags, isOfEngine ? await engineOf(stateDir, flags) : undefined);
  } finally {
    connection.close();
  }
}

/** Whether the user means another cluster than the engine of this machine. */
const namesCluster = ({ kubeconfig, context, cluster, server }: DoctorFlags): boolean =>
  [kubeconfig, context, cluster, server, process.env.KUBECONFIG].some(Boolean);

async function engineOf(stateDir: string, flags: DoctorFlags): Promise<EngineFacts> {
  // only a machine with an engine needs its code
  const { engineFacts } = await import('./machine');
  const commandVersion = clientVersion.gitVersion.replace(/^v/, '');
  return engineFacts(stateDir, { isRequested: flags.stateDir !== undefined, commandVersion, now: Date.now() });
}

function engineOnly(engine: EngineFacts): Examined {
  return { subject: {}, results: ofEngine(engine) };
}

function ofEngine(engine: EngineFacts | undefined): Diagnosis[] {
  if (!engine) return [];
  const facts: Facts = { engine, now: Date.now(), clockOffsetMs: 0, namespace: '', absent: new Set() };
  return diagnose(engineChecks, facts, {});
}

async function ofCluster(
  connection: Connection,
  { namespace }: DoctorFlags,
  engine: EngineFacts | undefined,
): Promise<Examined> {
  const address = connection.config.server;
  const serverTime = await timeOf(connection);
  let gathered: Gathered;
  try {
    gathered = await gather(connection, { serverTime, now: Date.now(), namespace });
  } catch (failure) {
    const remedy = 'check the address and your credentials, and that a firewall or proxy lets you reach it';
    const found = error('API server', messageOf(failure), remedy);
    const unreachable: Diagnosis = { name: 'kubernetes', state: 'error', findings: [found], unread: [] };
    return { subject: { address }, results: [unreachable, ...ofEngine(engine)] };
  }
  const { facts, obstacles } = gathered;
  const { observedKubeVirtVersion: platform } = facts.kubeVirts?.[0]?.status ?? {};
  const results = [...diagnose(clusterChecks, facts, obstacles), ...ofEngine(engine)];
  return { subject: { address, kubernetes: facts.server, platform }, results };
}

/** Time of the API server, from the head of a response; undefined if it does not say. */
async function timeOf({ config }: Connection): Promise<number | undefined> {
  const client = new KubeClient(config, { userAgent });
  try {
    const response = await client.stream('GET', '/version', undefined, { timeoutMs: 15_000 });
    response.resume();
    const time = Date.parse(response.headers.date ?? '');
    return Number.isNaN(time) ? undefined : time;
  } catch {
    // the next request fails as well, and its failure is reported
    return undefined;
  } finally {
    client.close();
  }
}
