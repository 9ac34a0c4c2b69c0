/** What the VM controller can do, as data: `decide` returns actions, `execute` performs them. */
import type { VirtualMachine, VirtualMachineInstance } from '../../../api';
import type { ControllerRevision } from '../../../api/instancetype';
import type { EventType } from '../../kube';
import type { DataVolume } from './observed';

export type Action =
  | { do: 'addFinalizer' }
  | { do: 'removeFinalizer' }
  | { do: 'switchToAlways' }
  | { do: 'createDataVolume'; dataVolume: DataVolume }
  /** A copy of what the VM refers to. */
  | { do: 'createRevision'; revision: ControllerRevision }
  | { do: 'deleteRevision'; name: string }
  /** The VM gets this template, and refers to nothing any more. */
  | { do: 'expand'; template: VirtualMachine['spec']['template'] }
  | { do: 'createVmi'; vmi: VirtualMachineInstance }
  | { do: 'deleteVmi'; vmi: VirtualMachineInstance; why: string }
  /** A merge patch of the status; refused when the VM is newer than what was seen. */
  | { do: 'patchStatus'; status: Record<string, unknown> }
  | { do: 'recordEvent'; type: EventType; reason: string; message: string }
  | { do: 'recheck'; afterMs: number };

/** What is done to the world; a recheck only to the queue. */
export type Effect = Exclude<Action, { do: 'recheck' }>;
