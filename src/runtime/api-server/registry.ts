import { kinds } from '../../api/kinds/registry';
import type { OptionsType } from './subresources/options';

/** Versions of the group, preferred first. */
export const SUBRESOURCE_VERSIONS = ['v1', 'v1alpha3'] as const;
export const SUBRESOURCE_GROUP = 'subresources.kubevirt.io';

export const VM = kinds.VirtualMachine.plural;
export const VMI = kinds.VirtualMachineInstance.plural;

export type Owner = typeof VM | typeof VMI | 'expand-vm-spec';

/** Kind of the objects that an action is about. */
export const KIND_OF: Readonly<Record<Owner, string>> = {
  [VM]: kinds.VirtualMachine.kind,
  [VMI]: kinds.VirtualMachineInstance.kind,
  'expand-vm-spec': kinds.VirtualMachine.kind,
};

/**
 * One served subresource. `name` is the name that roles grant: it is matched whole, or `vnc` would grant `vnc/screenshot`.
 * The entry without a name is an action of a namespace.
 */
export interface Subresource {
  readonly owner: Owner;
  readonly name: string;
  readonly method: 'GET' | 'PUT';
  /** One sentence for the OpenAPI documents. */
  readonly summary: string;
  /** Type of the body of a PUT; without one, the body is ignored. */
  readonly body?: OptionsType | 'VirtualMachine';
  /** Type of the answer, of the API `kubevirt.io/v1`; without one, the answer has no body. */
  readonly returns?: string;
  /** Path parameters after the name, in order; optional ones end in `?`. */
  readonly params?: readonly string[];
  /** Whether the answer is 202, because controllers do the rest. */
  readonly accepted?: boolean;
  /** Whether it is a websocket. */
  readonly stream?: boolean;
}

/** Expands the instance type of a VM that is in the request and not stored. */
export const EXPAND_GIVEN: Subresource = {
  owner: 'expand-vm-spec',
  name: '',
  method: 'PUT',
  summary: 'Returns the given virtual machine with the values of its instance type and preference.',
  body: 'VirtualMachine',
  returns: 'VirtualMachine',
};
const PORT = ['port', 'protocol?'];

/** Everything under `/apis/subresources.kubevirt.io/{version}/namespaces/{namespace}/{owner}/{name}/`. */
export const SUBRESOURCES: readonly Subresource[] = [
  {
    owner: VM,
    name: 'start',
    method: 'PUT',
    accepted: true,
    summary: 'Starts the virtual machine.',
    body: 'StartOptions',
  },
  {
    owner: VM,
    name: 'stop',
    method: 'PUT',
    accepted: true,
    summary: 'Stops the virtual machine.',
    body: 'StopOptions',
  },
  {
    owner: VM,
    name: 'restart',
    method: 'PUT',
    accepted: true,
    summary: 'Stops the virtual machine and starts it again.',
    body: 'RestartOptions',
  },
  {
    owner: VM,
    name: 'expand-spec',
    method: 'GET',
    summary: 'Returns the virtual machine with the values of its instance type and preference.',
    returns: 'VirtualMachine',
  },
  {
    owner: VM,
    name: 'evacuate/cancel',
    method: 'PUT',
    summary: 'Withdraws the request to evacuate the guest from its node.',
    body: 'EvacuateCancelOptions',
  },
  {
    owner: VM,
    name: 'addvolume',
    method: 'PUT',
    accepted: true,
    summary: 'Adds a volume and its disk to the virtual machine, and to its guest if it runs.',
    body: 'AddVolumeOptions',
  },
  {
    owner: VM,
    name: 'removevolume',
    method: 'PUT',
    accepted: true,
    summary: 'Removes a volume and its disk from the virtual machine, and from its guest if it runs.',
    body: 'RemoveVolumeOptions',
  },
  {
    owner: VM,
    name: 'memorydump',
    method: 'PUT',
    accepted: true,
    summary: 'Dumps the memory of the guest into a PersistentVolumeClaim.',
    body: 'VirtualMachineMemoryDumpRequest',
  },
  {
    owner: VM,
    name: 'removememorydump',
    method: 'PUT',
    accepted: true,
    summary: 'Ends the association of the virtual machine with the claim of its memory dump.',
  },
  EXPAND_GIVEN,
  {
    owner: VM,
    name: 'portforward',
    method: 'GET',
    params: PORT,
    stream: true,
    summary: 'Opens a websocket to a port of the guest.',
  },
  {
    owner: VMI,
    name: 'pause',
    method: 'PUT',
    summary: 'Pauses the guest.',
    body: 'PauseOptions',
  },
  {
    owner: VMI,
    name: 'unpause',
    method: 'PUT',
    summary: 'Lets a paused guest continue.',
    body: 'UnpauseOptions',
  },
  {
    owner: VMI,
    name: 'freeze',
    method: 'PUT',
    summary: 'Freezes the file systems of the guest.',
    body: 'FreezeUnfreezeTimeout',
  },
  {
    owner: VMI,
    name: 'unfreeze',
    method: 'PUT',
    summary: 'Thaws the file systems of the guest.',
  },
  {
    owner: VMI,
    name: 'backup',
    method: 'PUT',
    summary: 'Starts or ends a backup of the disks of the guest; sent by virt-controller.',
    body: 'BackupOptions',
  },
  {
    owner: VMI,
    name: 'softreboot',
    method: 'PUT',
    summary: 'Asks the guest to reboot, through its agent or by ACPI.',
  },
  {
    owner: VMI,
    name: 'reset',
    method: 'PUT',
    summary: 'Resets the guest, like the reset button of a computer.',
  },
  {
    owner: VMI,
    name: 'evacuate/cancel',
    method: 'PUT',
    summary: 'Withdraws the request to evacuate the guest from its node.',
    body: 'EvacuateCancelOptions',
  },
  {
    owner: VMI,
    name: 'addvolume',
    method: 'PUT',
    accepted: true,
    summary: 'Adds a volume and its disk to the guest until it ends.',
    body: 'AddVolumeOptions',
  },
  {
    owner: VMI,
    name: 'removevolume',
    method: 'PUT',
    accepted: true,
    summary: 'Removes a volume and its disk from the guest.',
    body: 'RemoveVolumeOptions',
  },
  {
    owner: VMI,
    name: 'guestosinfo',
    method: 'GET',
    summary: 'Returns what the guest agent reports about the operating system.',
    returns: 'VirtualMachineInstanceGuestAgentInfo',
  },
  {
    owner: VMI,
    name: 'userlist',
    method: 'GET',
    summary: 'Returns the users that are logged in to the guest.',
    returns: 'VirtualMachineInstanceGuestOSUserList',
  },
  {
    owner: VMI,
    name: 'filesystemlist',
    method: 'GET',
    summary: 'Returns the file systems of the guest.',
    returns: 'VirtualMachineInstanceFileSystemList',
  },
  {
    owner: VMI,
    name: 'console',
    method: 'GET',
    stream: true,
    summary: 'Opens a websocket to the serial console of the guest.',
  },
  {
    owner: VMI,
    name: 'vnc',
    method: 'GET',
    stream: true,
    summary: 'Opens a websocket to the display of the guest.',
  },
  {
    owner: VMI,
    name: 'portforward',
    method: 'GET',
    params: PORT,
    stream: true,
    summary: 'Opens a websocket to a port of the guest.',
  },
];

const OBJECTS = 'read the objects that the VM names one by one; `virt8s graph` draws those of manifests';
const NO_ATTESTATION = 'guests with spec.domain.launchSecurity cannot be attested here; run such a guest on KubeVirt';
const PROFILE = 'profile the process of the component on its node';

/**
 * Subresources of KubeVirt's API that are answered with 501 and an alternative, so that a client can see that the name is
 * correct and this server does not implement it.
 */
export const UNIMPLEMENTED: Record<Exclude<Owner, 'expand-vm-spec'> | '', Readonly<Record<string, string>>> = {
  [VM]: {
    migrate: 'a running guest stays on its node; restart the VM, which schedules it again',
    objectgraph: OBJECTS,
  },
  [VMI]: {
    usbredir: 'give the guest a device of its node by spec.domain.devices.hostDevices',
    vsock: 'reach the guest by its network: portforward or a Service',
    'vnc/screenshot': 'open vnc and take the screenshot in the viewer',
    objectgraph: OBJECTS,
    'sev/fetchcertchain': NO_ATTESTATION,
    'sev/querylaunchmeasurement': NO_ATTESTATION,
    'sev/setupsession': NO_ATTESTATION,
    'sev/injectlaunchsecret': NO_ATTESTATION,
    'redefine-checkpoint': 'checkpoints end with their guest; the next backup of the tracker is a full one',
  },
  '': {
    guestfs: 'stop the VM and run libguestfs-tools in a Pod that mounts its claim',
    'start-cluster-profiler': PROFILE,
    'stop-cluster-profiler': PROFILE,
    'dump-cluster-profiler': PROFILE,
  },
};
