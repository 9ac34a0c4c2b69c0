/**
 * Program of a SnapshotSchedule's Job: takes a snapshot and deletes outdated ones. The manifest contains its code
 * (`scripts/generate-snapshot-job.ts`), so it needs only Node.js. Its settings are environment variables.
 */
import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { outdated } from './decide';

/** From the registry of kinds and the keys, when the code is generated. */
declare const API_PATH: string;
declare const API_VERSION: string;
declare const PLURAL: string;
declare const SCHEDULE_LABEL: string;
declare const TIME_LABEL: string;

const ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';
const PATIENCE_MS = 60_000;

interface Answer {
  readonly status: number;
  /** Object, list or Status; undefined if the response is not JSON. */
  readonly body?: {
    readonly message?: string;
    readonly reason?: string;
    readonly metadata?: { readonly continue?: string };
    readonly items?: readonly Snapshot[];
  };
}

interface Snapshot {
  readonly metadata: {
    readonly name: string;
    readonly creationTimestamp: string;
    readonly labels: Readonly<Record<string, string>>;
  };
  readonly status?: {
    readonly readyToUse?: boolean;
    readonly snapshotVolumes?: { readonly includedVolumes?: unknown[]; readonly excludedVolumes?: unknown[] };
  };
}

const { NAMESPACE, JOB, PREFIX, SCHEDULE, SPEC, KEEP, MAX_AGE } = process.env as Readonly<Record<string, string>>;
const collection = `${API_PATH}/namespaces/${NAMESPACE}/${PLURAL}`;

function send(method: string, path: string, object?: object): Promise<Answer> {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = process.env;
  const token = readFileSync(`${ACCOUNT}/token`, 'utf8').trim();
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const ca = readFileSync(`${ACCOUNT}/ca.crt`);
  return new Promise((done, fail) => {
    const sent = request({ host, port, method, path, headers, ca, timeout: PATIENCE_MS }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', fail);
      response.on('end', () => done({ status: response.statusCode ?? 0, body: parsed(Buffer.concat(chunks)) }));
    });
    sent.on('timeout', () => sent.destroy(new Error(`${host}:${port} does not respond`)));
    sent.on('error', fail).end(object && JSON.stringify(object));
  });
}

function parsed(body: Buffer): Answer['body'] {
  try {
    return JSON.parse(body.toString()) as Answer['body'];
  } catch {
    return undefined;
  }
}

/** @throws Error if the API server refused the request */
async function mustSend(method: string, path: string, accepted: string, object?: object): Promise<Answer> {
  const answer = await send(method, path, object);
  const { status, body } = answer;
  if (status < 300 || body?.reason === accepted) return answer;
  throw new Error(`${method} ${path}: ${body?.message ?? status}`);
}

/** The snapshot is named after the Job, so that a retry does not take a second one. */
async function take(now: number): Promise<void> {
  const name = `${PREFIX}-${JOB!.slice(0, 8)}`;
  const labels = { [SCHEDULE_LABEL]: SCHEDULE, [TIME_LABEL]: String(now) };
  const { body } = await mustSend('POST', collection, 'AlreadyExists', {
    apiVersion: API_VERSION,
    kind: 'VirtualMachineSnapshot',
    metadata: { name, labels },
    spec: JSON.parse(SPEC!) as object,
  });
  console.log(`snapshot ${name} ${body?.reason === 'AlreadyExists' ? 'exists' : 'created'}`);
}

async function list(): Promise<Snapshot[]> {
  const found: Snapshot[] = [];
  let next = '';
  do {
    const query = `labelSelector=${SCHEDULE_LABEL}=${SCHEDULE}&limit=100&continue=${encodeURIComponent(next)}`;
    const { body } = await mustSend('GET', `${collection}?${query}`, 'none');
    found.push(...(body?.items ?? []));
    next = body?.metadata?.continue ?? '';
  } while (next);
  return found;
}

const limit = (text: string | undefined): number => (text === undefined ? Infinity : Number(text));

/** Whether no disk of the VM is in the snapshot. */
const isEmpty = ({
  snapshotVolumes: { includedVolumes = [], excludedVolumes = [] } = {},
}: NonNullable<Snapshot['status']>): boolean => includedVolumes.length === 0 && excludedVolumes.length > 0;

async function main(): Promise<void> {
  const now = Math.floor(Date.now() / 1000);
  await take(now);
  const taken = (await list()).map(({ metadata: { name, labels, creationTimestamp }, status }) => ({
    name,
    time: Number(labels[TIME_LABEL]) || Date.parse(creationTimestamp) / 1000,
    isUsable: status?.readyToUse === true && !isEmpty(status),
  }));
  for (const name of outdated(taken, { keep: limit(KEEP), maxAge: limit(MAX_AGE) }, now)) {
    await mustSend('DELETE', `${collection}/${name}`, 'NotFound');
    console.log(`snapshot ${name} deleted`);
  }
}

main().catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
