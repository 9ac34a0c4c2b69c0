import type { cdi, KubeObject, VirtualMachine, VirtualMachineInstance } from '../../api';
import { keys } from '../../api/keys';
import { claimBytesForDump, dumpedMemory } from '../../api/memory-dump';
import { quantityOf } from '../../api/quantity';
import { waitFor } from '../../client/wait';
import { ApiError, isAlreadyExists, isNotFound, pathOf, resources } from '../../runtime/kube';
import type { Connection } from '../connection';
import { CliError, messageOf } from '../errors';
import { planOf as exportPlan } from '../vmexport/flags';
import { runVmExport } from '../vmexport/run';
import type { DumpDownload, MemoryDumpPlan, NewClaim } from './flags';

/** virtctl's, which is long enough for a large guest on slow storage. */
const COMPLETE_MS = 600_000;

/** `virt8s memory-dump`, with virtctl's messages. They go to standard error, because standard output may be the dump. */
export async function runMemoryDump(connection: Connection, vm: string, plan: MemoryDumpPlan): Promise<void> {
  switch (plan.action) {
    case 'get': {
      const { claimName, create, download } = plan;
      if (create) await createClaim(connection, vm, claimName!, create);
      await request(() => connection.act('vm', vm, 'memorydump', { claimName }), 'dumping vm memory');
      console.error(`Successfully submitted memory dump request of VM ${vm}`);
      return download && downloadDump(connection, vm, download);
    }
    case 'download':
      return downloadDump(connection, vm, plan.download);
    case 'remove':
      await request(() => connection.act('vm', vm, 'removememorydump'), 'removing memory dump association');
      return console.error(`Successfully submitted remove memory dump association of VM ${vm}`);
  }
}

async function request(act: () => Promise<unknown>, doing: string): Promise<void> {
  try {
    await act();
  } catch (error) {
    throw new CliError(`error ${doing}, ${messageOf(error)}`);
  }
}

async function createClaim(connection: Connection, vm: string, name: string, given: NewClaim): Promise<void> {
  const { namespace } = connection;
  const { accessMode, storageClassName } = given;
  const vmi = await connection.request<VirtualMachineInstance>(
    'GET',
    pathOf(resources.virtualMachineInstances, { namespace, name: vm }),
  );
  const bytes = claimBytesForDump(dumpedMemory(vmi), storageClassName, await cdiConfig(connection));
  const claim = {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name, namespace, labels: { [keys.applyStorageProfile]: 'true' } },
    spec: {
      accessModes: [accessMode],
      storageClassName,
      resources: { requests: { storage: quantityOf(bytes, 'BinarySI') } },
    },
  };
  try {
    await connection.request('POST', pathOf(resources.persistentVolumeClaims, { namespace }), claim);
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    const why = `PVC ${namespace}/${name} already exists`;
    throw new CliError(`${why}; check if it should be created, and remove --create-claim if not`);
  }
  console.error(`PVC ${namespace}/${name} created`);
}

/** Undefined if the cluster has none, or if the user may not read it: then the default applies. */
async function cdiConfig(connection: Connection): Promise<cdi.CDIConfig | undefined> {
  try {
    const path = pathOf(resources.cdiConfigs, { name: 'config' });
    return await connection.request<cdi.CDIConfig & KubeObject>('GET', path);
  } catch (error) {
    if (isNotFound(error) || (error instanceof ApiError && error.code === 403)) return undefined;
    throw error;
  }
}

async function downloadDump(connection: Connection, vm: string, given: DumpDownload): Promise<void> {
  const { output, format, isTunnelled } = given;
  const { claimName, fileName } = await complete(connection, vm);
  const plan = exportPlan('download', `export-${vm}-${claimName}`, {
    pvc: claimName,
    output,
    format,
    portForward: isTunnelled,
  });
  if (plan.action !== 'download') return;
  const what = { format, ...(format === 'raw' && { file: fileName }) };
  return runVmExport(connection, { ...plan, download: { ...plan.download, what } });
}

type Request = NonNullable<NonNullable<VirtualMachine['status']>['memoryDumpRequest']>;

/** Waits for the end of the dump. @throws CliError with the cause of its failure */
async function complete(connection: Connection, name: string): Promise<Request> {
  const { namespace } = connection;
  let shown: string | undefined;
  const isDone = ({ status }: VirtualMachine): boolean => {
    const { claimName, phase } = status?.memoryDumpRequest ?? {};
    if (phase !== undefined && phase !== shown)
      console.error(`Waiting for memorydump ${claimName} to complete, current phase: ${phase}...`);
    shown = phase;
    return phase === undefined || phase === 'Completed' || phase === 'Failed';
  };
  const place = { namespace, name };
  const vm = await waitFor<VirtualMachine>(connection, resources.virtualMachines, place, isDone, {
    timeoutMs: COMPLETE_MS,
  });
  const request = vm?.status?.memoryDumpRequest;
  if (!request) throw new CliError(`VM ${name} has no memory dump; request one with "memory-dump get"`);
  if (request.phase === 'Completed') return request;
  throw new CliError(`the memory dump failed: ${request.message}`);
}
