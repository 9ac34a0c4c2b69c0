import { createHash, randomInt } from 'node:crypto';
import { keys } from '../../../api/keys';
import { EXPORT_PORT, MANIFESTS_KEY, TOKEN_KEY } from '../../../api/export/export-request';
import { expandVirtualMachine } from '../../../api/instancetype';
import { semanticDeepEqual } from '../../../api/kinds/shape';
import { controllerRef } from '../../../api/owner';
import type { KubeObject } from '../../../api';
import {
  decideWith,
  except,
  isAlreadyExists,
  isConflict,
  isNotFound,
  isRefused,
  resources,
  sourceOf,
} from '../../kube';
import type { Requeue } from '../../kube';
import { refusedBy } from '../storage/refused';
import { selfSigned } from './certificate';
import type { ExportContext } from './context';
import { decide, type Action } from './decide';
import { EXPORTER_LABEL, exporterName, SERVICE_LABEL, type VirtualMachineExport } from './names';
import { observe } from './observe';

const fieldManager = 'virt-controller';
const LAG_RECHECK_MS = 500;

/** Reconciles one VirtualMachineExport. */
export async function syncExport(context: ExportContext, key: string): Promise<Requeue | void> {
  const { client, caches, expectations, image, now } = context;
  const vmExport = caches.exports.get(key);
  if (!vmExport || vmExport.metadata.deletionTimestamp) return expectations.forget(key);
  if (!expectations.satisfied(key)) return { requeueAfterMs: LAG_RECHECK_MS };
  const { namespace } = vmExport.metadata;
  const pod = caches.pods.get(`${namespace}/${exporterName(vmExport)}`);
  const [service, facts] = await Promise.all([
    client.find(resources.services, { namespace, name: exporterName(vmExport) }),
    observe(context, vmExport, pod),
  ]);
  const observed = { vmExport, facts, pod, service, image, proxy: context.external(), now: now() };
  const { actions, status, retryMs } = decide(observed);
  let problem: { reason: string; message: string; retryMs?: number } | undefined;
  try {
    for (const action of actions) await perform(context, key, vmExport, action);
  } catch (error) {
    if (!isRefused(error)) throw error;
    problem = refusedBy(error, 'ExporterRefused');
    context.recorder.warning(vmExport, problem.reason, problem.message);
  }
  if (status) await write(context, key, vmExport, problem ? refused(status, problem) : status);
  if (problem?.retryMs) return { requeueAfterMs: problem.retryMs };
  // the Service is not watched
  if (actions.some((action) => action.do === 'createService' || action.do === 'createClaim'))
    return { requeueAfterMs: 0 };
  return retryMs === undefined ? undefined : { requeueAfterMs: retryMs };
}

type Status = NonNullable<VirtualMachineExport['status']>;

/** A status whose condition Ready tells why the API server refused an object. */
const refused = (status: Status, { reason, message }: { reason: string; message: string }): Status => ({
  ...status,
  conditions: status.conditions?.map((each) => (each.type === 'Ready' ? { ...each, reason, message } : each)),
});

async function write(
  { client, caches, expectations }: ExportContext,
  key: string,
  { metadata, status: before }: VirtualMachineExport,
  status: Status,
): Promise<void> {
  if (semanticDeepEqual(before ?? {}, status)) return;
  const { namespace, name = '', uid, resourceVersion } = metadata;
  // null: a merge would keep the old links
  const body = { metadata: { uid, resourceVersion }, status: { links: null, ...status } };
  const made = await client
    .patch(resources.exports, { namespace, name, subresource: 'status' }, body, 'merge', { fieldManager })
    .catch(except(isNotFound));
  expectations.expect(key, caches.exports, made?.metadata.resourceVersion);
}

/** Executes an action. */
async function perform(
  context: ExportContext,
  key: string,
  vmExport: VirtualMachineExport,
  action: Action,
): Promise<void> {
  const { client, caches, expectations, recorder } = context;
  const { namespace, name = '', uid } = vmExport.metadata;
  switch (action.do) {
    case 'deleteExport':
      await client.delete(resources.exports, { namespace, name }, { preconditions: { uid } }).catch(gone);
      return;
    case 'createClaim':
      await client.create(resources.persistentVolumeClaims, action.claim, { fieldManager }).catch(once);
      return;
    case 'createService':
      return createService(context, vmExport, action);
    case 'createToken': {
      const made = await create(context, vmExport, action.name, { data: { [TOKEN_KEY]: base64(newToken()) } });
      if (made) recorder.normal(vmExport, 'SecretCreated', `created Secret ${namespace}/${action.name} with the token`);
      return;
    }
    case 'createManifests': {
      const { vm } = await decideWith(sourceOf(client), ({ find }) =>
        expandVirtualMachine(action.vm, { config: context.config(), find }),
      );
      const map = owned(vmExport, 'ConfigMap', action.name, {
        data: { [MANIFESTS_KEY]: JSON.stringify(action.describe(vm)) },
      });
      await client.create(resources.configMaps, map, { fieldManager }).catch(once);
      return;
    }
    case 'createPod': {
      const made = await client.create(resources.pods, action.pod, { fieldManager }).catch(once);
      expectations.expect(key, caches.pods, made?.metadata.resourceVersion);
      if (made)
        recorder.normal(vmExport, 'ExporterPodCreated', `created exporter Pod ${namespace}/${made.metadata.name}`);
      return;
    }
    case 'deletePod': {
      const { metadata } = action.pod;
      await client
        .delete(resources.pods, { namespace, name: metadata.name ?? '' }, { preconditions: { uid: metadata.uid } })
        .catch(gone);
      recorder.warning(vmExport, action.reason, action.message);
      return;
    }
  }
}

/** Creates the Secret with the certificate, then the Service, whose annotations name it. */
async function createService(
  context: ExportContext,
  vmExport: VirtualMachineExport,
  { name, hosts, notAfter }: Extract<Action, { do: 'createService' }>,
): Promise<void> {
  const { client, recorder, now } = context;
  const { cert, key } = await selfSigned(hosts, now(), notAfter);
  // each certificate has its own Secret: that of a pass whose Service was not created is deleted with the export
  const secret = `${name.slice(0, 40)}-${createHash('sha256').update(cert).digest('hex').slice(0, 10)}`;
  await create(context, vmExport, secret, {
    type: 'kubernetes.io/tls',
    data: { 'tls.crt': base64(cert), 'tls.key': base64(key) },
  });
  const service = owned(vmExport, 'Service', name, {
    spec: {
      selector: { [SERVICE_LABEL]: name },
      ports: [{ name: 'export', protocol: 'TCP', port: 443, targetPort: EXPORT_PORT }],
    },
  });
  service.metadata.labels = { ...EXPORTER_LABEL };
  service.metadata.annotations = { [keys.exportCertificate]: cert, [keys.exportCertificateSecret]: secret };
  const made = await client.create(resources.services, service, { fieldManager }).catch(once);
  if (made) recorder.normal(vmExport, 'ServiceCreated', `created Service ${vmExport.metadata.namespace}/${name}`);
}

const create = (
  { client }: ExportContext,
  vmExport: VirtualMachineExport,
  name: string,
  content: object,
): Promise<KubeObject | undefined> =>
  client.create(resources.secrets, owned(vmExport, 'Secret', name, content), { fieldManager }).catch(once);

const owned = (vmExport: VirtualMachineExport, kind: string, name: string, content: object): KubeObject => ({
  apiVersion: 'v1',
  kind,
  metadata: { name, namespace: vmExport.metadata.namespace, ownerReferences: [controllerRef(vmExport)] },
  ...content,
});

const base64 = (text: string): string => Buffer.from(text).toString('base64');

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const TOKEN_LETTERS = 20;
/** A token like those of KubeVirt, with 119 random bits. */
const newToken = (): string => Array.from({ length: TOKEN_LETTERS }, () => LETTERS[randomInt(LETTERS.length)]).join('');

/** For an object that an earlier pass, whose answer was lost, created. */
const once = except(isAlreadyExists);
/** For an object that no longer exists, or whose name another one has. */
const gone = except(isNotFound, isConflict);
