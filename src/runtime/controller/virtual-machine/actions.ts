/** Actions of the VM controller, as data: `decide` returns actions, `execute` performs them. */
import type { VirtualMachine, VirtualMachineInstance, Volume } from '../../../api';
import type { ControllerRevision } from '../../../api/instancetype';
import type { EventType } from '../../kube';
import type { DataVolume } from './observed';
import type { StorageChange } from './volumes';

export type Action =
  | { do: 'addFinalizer' }
  | { do: 'removeFinalizer' }
  | { do: 'switchToAlways' }
  | { do: 'createDataVolume'; dataVolume: DataVolume }
  /** Makes the VM the owner of a DataVolume that has none. */
  | { do: 'adoptDataVolume'; dataVolume: DataVolume }
  /** Stores a copy of an instance type or preference that the VM refers to. */
  | { do: 'createRevision'; revision: ControllerRevision }
  | { do: 'deleteRevision'; name: string }
  /** Writes the expanded template into the VM and removes its references. */
  | { do: 'expand'; template: VirtualMachine['spec']['template'] }
  | { do: 'createVmi'; vmi: VirtualMachineInstance }
  /** Gives the running guest other volumes; rejected when the VMI has changed since it was observed. */
  | { do: 'changeStorage'; vmi: VirtualMachineInstance; change: StorageChange }
  /** Gives the template other volumes; rejected when the VM has changed since it was observed. */
  | { do: 'setTemplateVolumes'; volumes: readonly Volume[] }
  /** Records the file of a memory dump on its claim, if that exists. */
  | { do: 'annotateClaim'; claim: string; value: string }
  | { do: 'deleteVmi'; vmi: VirtualMachineInstance; why: string }
  /** A merge patch of the status; rejected when the VM has changed since it was observed. */
  | { do: 'patchStatus'; status: Record<string, unknown> }
  | { do: 'recordEvent'; type: EventType; reason: string; message: string }
  | { do: 'recheck'; afterMs: number };

/** An action that writes to the cluster; a recheck only adds the key to the queue again. */
export type Effect = Exclude<Action, { do: 'recheck' }>;
