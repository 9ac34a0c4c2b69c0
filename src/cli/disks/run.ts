import type { KubeObject, VirtualMachine, VirtualMachineInstance } from '../../api';
import { findCondition } from '../../api/conditions';
import type { DataVolume } from '../../api/generated/cdi-v1beta1';
import { isNotFound, pathOf, resources } from '../../runtime/kube';
import type { Resource } from '../../runtime/kube';
import { Connection } from '../connection';
import type { GlobalFlags } from '../connection';
import { CliError, messageOf } from '../errors';
import { type Claim, claimOf, describeDisks, type GuestFileSystem } from './describe';
import { diskTable } from './table';

/** `virt8s disks` */
export async function listDisks(name: string, output: 'table' | 'json', flags: GlobalFlags): Promise<string> {
  const connection = await Connection.open(flags);
  // a cluster without CDI has no DataVolumes
  const find = <T extends KubeObject>(resource: Resource, of: string): Promise<T | undefined> =>
    connection
      .request<T>('GET', pathOf(resource, { namespace: connection.namespace, name: of }))
      .catch((error: unknown) => (isNotFound(error) ? undefined : Promise.reject(error)));
  try {
    const [vm, vmi] = await Promise.all([
      find<VirtualMachine>(resources.virtualMachines, name),
      find<VirtualMachineInstance>(resources.virtualMachineInstances, name),
    ]);
    const spec = vmi?.spec ?? vm?.spec.template.spec;
    if (!spec) throw new Error(`namespace "${connection.namespace}" has neither a VirtualMachine nor an instance`);
    const names = [...new Set((spec.volumes ?? []).flatMap((volume) => claimOf(volume) ?? []))];
    const read = async <T extends KubeObject>(resource: Resource): Promise<Map<string, T>> => {
      const found = await Promise.all(names.map((of) => find<T>(resource, of)));
      return new Map(found.flatMap((object) => (object ? [[object.metadata.name ?? '', object]] : [])));
    };
    const [claims, dataVolumes, fileSystems] = await Promise.all([
      read<Claim>(resources.persistentVolumeClaims),
      read<DataVolume>(resources.dataVolumes),
      fileSystemsOf(connection, vmi),
    ]);
    const rows = describeDisks({ spec, status: vmi?.status, claims, dataVolumes, fileSystems });
    return output === 'json' ? JSON.stringify(rows, undefined, 2) : diskTable(rows);
  } catch (error) {
    throw new CliError(`Error listing the disks of VirtualMachine ${name}: ${messageOf(error)}`);
  } finally {
    connection.close();
  }
}

/** File systems that the agent reports; without an agent, the other columns are still useful. */
async function fileSystemsOf(
  connection: Connection,
  vmi: VirtualMachineInstance | undefined,
): Promise<GuestFileSystem[] | undefined> {
  if (!vmi || findCondition(vmi.status?.conditions, 'AgentConnected')?.status !== 'True') return undefined;
  const name = vmi.metadata.name ?? '';
  const list = await connection.query<{ items?: GuestFileSystem[] }>('vmi', name, 'filesystemlist').catch(() => ({}));
  return 'items' in list ? list.items : undefined;
}
