import type { VirtualMachineExport } from '../../api/generated/export-v1';
import type { KubeObject } from '../../api';
import { waitFor } from '../../client/wait';
import { ApiError, isAlreadyExists, isNotFound, pathOf, resources } from '../../runtime/kube';
import type { Connection } from '../connection';
import { CliError } from '../errors';
import { downloadVolume } from './download';
import type { CreatePlan, DownloadPlan, ExportPlan } from './flags';
import { writeManifests } from './manifests';
import { routeTo } from './route';

export type Exported = VirtualMachineExport & KubeObject;

/** `virt8s vmexport`. Messages go to standard error, because standard output may be a disk. */
export async function runVmExport(connection: Connection, plan: ExportPlan): Promise<void> {
  switch (plan.action) {
    case 'create':
      await create(connection, plan.name, plan.create);
      return console.log(`VirtualMachineExport '${connection.namespace}/${plan.name}' created successfully`);
    case 'delete':
      return console.log(await remove(connection, plan.name));
    case 'download':
      return download(connection, plan.name, plan.download);
  }
}

async function create(connection: Connection, name: string, plan: CreatePlan): Promise<void> {
  const { source, ttl, labels, annotations } = plan;
  const { namespace } = connection;
  await connection.request('POST', pathOf(resources.exports, { namespace }), {
    apiVersion: 'export.kubevirt.io/v1',
    kind: 'VirtualMachineExport',
    metadata: { name, namespace, labels, annotations },
    spec: { source, ...(ttl !== undefined && { ttlDuration: ttl }) },
  });
}

async function remove(connection: Connection, name: string): Promise<string> {
  const { namespace } = connection;
  try {
    await connection.request('DELETE', pathOf(resources.exports, { namespace, name }));
    return `VirtualMachineExport '${namespace}/${name}' deleted successfully`;
  } catch (error) {
    if (!isNotFound(error)) throw error;
    return `VirtualMachineExport '${namespace}/${name}' does not exist`;
  }
}

async function download(connection: Connection, name: string, plan: DownloadPlan): Promise<void> {
  const isCreated = plan.create !== undefined && (await createIfNew(connection, name, plan.create));
  const isDeleted = plan.isDeleted === 'always' || (plan.isDeleted === 'if-created' && isCreated);
  try {
    const route = await routeTo(connection, await ready(connection, name, plan.readinessMs), plan);
    if ('manifest' in plan.what) await writeManifests(route, plan.what, plan);
    else await downloadVolume(route, plan.what, plan);
  } finally {
    if (isDeleted) console.error(await remove(connection, name));
  }
}

/** Whether the export did not exist. */
async function createIfNew(connection: Connection, name: string, plan: CreatePlan): Promise<boolean> {
  try {
    await create(connection, name, plan);
    return true;
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    return false;
  }
}

/** Waits until the export is ready. @throws CliError with the cause that its conditions name */
async function ready(connection: Connection, name: string, timeoutMs: number): Promise<Exported> {
  const { namespace } = connection;
  const isDone = ({ status }: Exported): boolean => ['Ready', 'Skipped', 'Terminated'].includes(status?.phase ?? '');
  let found: Exported | undefined;
  try {
    found = await waitFor<Exported>(connection, resources.exports, { namespace, name }, isDone, { timeoutMs });
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 504)) throw error;
    found = await connection.request<Exported>('GET', pathOf(resources.exports, { namespace, name }));
  }
  if (found?.status?.phase === 'Ready') return found;
  const condition = found?.status?.conditions?.find(({ type }) => type === 'Ready');
  const cause =
    [condition?.reason, condition?.message].filter(Boolean).join(': ') || 'virt-controller has not reported a cause';
  throw new CliError(`VirtualMachineExport ${namespace}/${name} is ${found?.status?.phase ?? 'not ready'}: ${cause}`);
}
