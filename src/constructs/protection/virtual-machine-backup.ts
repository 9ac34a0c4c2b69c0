import type { ApiObject, Duration } from 'cdk8s';
import type { Construct } from 'constructs';
import type { VirtualMachineBackupSpec } from '../../api/generated/backup-v1alpha1';
import type { TypedLocalObjectReference } from '../../api/generated/core-v1';
import { defined } from '../defined';
import { VirtualMachineBackupObject, VirtualMachineBackupTrackerObject } from '../generated/backup-v1alpha1';
import { beside } from '../network/beside';
import type { IVirtualMachine, IVirtualMachineBackup, IVirtualMachineBackupTracker } from '../references';
import { INamedObject, Resource, ResourceProps } from '../resource';
import { checkProps } from '../signatures';
import { nameOf } from '../storage/reference';
import { validateOnSynth } from '../validation';
import type { BackupMode } from './choices';
import { ofKind, virtualMachine } from './reference';
import { durationText } from './text';

/** What a backup tracker takes. */
export interface VirtualMachineBackupTrackerProps extends ResourceProps {
  /** The VM whose backups it remembers. */
  readonly source: IVirtualMachine;
}

/**
 * Remembers the last backup of a VM, so that the next one holds only what was written since
 * (`backup.kubevirt.io/v1alpha1` VirtualMachineBackupTracker). Needs the feature gate IncrementalBackup.
 *
 * @example
 * const tracker = new VirtualMachineBackupTracker(chart, 'tracker', { source: vm });
 * new VirtualMachineBackup(chart, 'incremental', {
 *   source: BackupSource.tracker(tracker),
 *   claim: { name: 'backups' },
 * });
 */
export class VirtualMachineBackupTracker extends Resource implements IVirtualMachineBackupTracker {
  public readonly apiObject: ApiObject;

  /**
   * @param scope chart, or another construct that this one belongs to
   * @param id id of the construct within its scope; the name of the object follows from it
   * @param props VM whose changes are tracked
   */
  constructor(scope: Construct, id: string, props: VirtualMachineBackupTrackerProps) {
    super(scope, id);
    checkProps(this, new.target, props);
    const spec = { source: virtualMachine('VirtualMachineBackupTracker', props.source) };
    this.apiObject = new VirtualMachineBackupTrackerObject(this, 'Resource', {
      metadata: beside(props.source, props.metadata),
      spec,
    });
    validateOnSynth(this, { body: () => ({ spec }) });
  }

  /** Kind of the object. */
  public get kind(): 'VirtualMachineBackupTracker' {
    return 'VirtualMachineBackupTracker';
  }
}

/** What is backed up. An object that tells another kind is refused. */
export class BackupSource {
  /**
   * A VM, as a whole.
   *
   * @param vm VirtualMachine
   * @example
   * new VirtualMachineBackup(chart, 'backup', {
   *   source: BackupSource.virtualMachine(vm),
   *   claim: { name: 'backups' },
   * });
   */
  public static virtualMachine(vm: IVirtualMachine): BackupSource {
    return new BackupSource(virtualMachine('BackupSource.virtualMachine', vm), vm);
  }

  /**
   * The VM of a tracker: what was written since its last backup.
   *
   * @param tracker VirtualMachineBackupTracker
   * @example
   * const tracker = new VirtualMachineBackupTracker(chart, 'tracker', { source: vm });
   * new VirtualMachineBackup(chart, 'backup', {
   *   source: BackupSource.tracker(tracker),
   *   claim: { name: 'backups' },
   * });
   */
  public static tracker(tracker: IVirtualMachineBackupTracker): BackupSource {
    return new BackupSource(ofKind('BackupSource.tracker', 'VirtualMachineBackupTracker', tracker), tracker);
  }

  private constructor(
    /** @internal */
    public readonly _reference: TypedLocalObjectReference,
    /** The object that is named, for its namespace. @internal */
    public readonly _object: INamedObject,
  ) {}
}

/** What a backup has beyond its source and claim. */
export interface VirtualMachineBackupOptions extends ResourceProps {
  /**
   * Where the backup goes.
   * @default BackupMode.PUSH
   */
  readonly mode?: BackupMode;
  /**
   * Secret whose key `token` each download must present. Needed by BackupMode.PULL.
   * @default - none
   */
  readonly tokenSecret?: INamedObject;
  /**
   * How long a download is offered, from the backup's creation.
   * @default - 2 hours
   */
  readonly ttl?: Duration;
  /**
   * Everything is backed up, whatever the tracker remembers.
   * @default false
   */
  readonly forceFullBackup?: boolean;
  /**
   * The guest's file systems are not frozen meanwhile.
   * @default false
   */
  readonly skipQuiesce?: boolean;
}

/** What a backup takes. */
export interface VirtualMachineBackupProps extends VirtualMachineBackupOptions {
  /** What is backed up. */
  readonly source: BackupSource;
  /** PersistentVolumeClaim that the backup is written to, or that holds what the guest writes while it is served. */
  readonly claim: INamedObject;
}

/**
 * Backs a running VM up (`backup.kubevirt.io/v1alpha1` VirtualMachineBackup). It happens once, when the object is
 * applied. Needs the feature gate IncrementalBackup.
 *
 * @example
 * new VirtualMachineBackup(chart, 'backup', {
 *   source: BackupSource.virtualMachine(vm),
 *   claim: { name: 'backups' },
 * });
 */
export class VirtualMachineBackup extends Resource implements IVirtualMachineBackup {
  public readonly apiObject: ApiObject;
  /** Where the backup goes, if it was said. */
  public readonly mode?: BackupMode;

  /**
   * @param scope chart, or another construct that this one belongs to
   * @param id id of the construct within its scope; the name of the object follows from it
   * @param props source and target of the backup
   */
  constructor(scope: Construct, id: string, props: VirtualMachineBackupProps) {
    super(scope, id);
    checkProps(this, new.target, props);
    const { source, claim, mode, tokenSecret, ttl } = props;
    this.mode = mode;
    const claims = ['PersistentVolumeClaim', 'DataVolume'];
    const spec: VirtualMachineBackupSpec = defined({
      source: { ...source._reference },
      mode: mode?.value as VirtualMachineBackupSpec['mode'],
      pvcName: nameOf('VirtualMachineBackup: claim', claim, claims, 'give it a claim'),
      tokenSecretRef:
        tokenSecret && nameOf('VirtualMachineBackup: tokenSecret', tokenSecret, ['Secret'], 'give it a Secret'),
      ttlDuration: ttl && durationText(ttl),
      forceFullBackup: props.forceFullBackup,
      skipQuiesce: props.skipQuiesce,
    });
    this.apiObject = new VirtualMachineBackupObject(this, 'Resource', {
      metadata: beside(source._object, props.metadata),
      spec,
    });
    validateOnSynth(this, { body: () => ({ spec }), locate });
  }

  /** Kind of the object. */
  public get kind(): 'VirtualMachineBackup' {
    return 'VirtualMachineBackup';
  }
}

function locate(field: string): string | undefined {
  const properties: Readonly<Record<string, string>> = {
    'spec.pvcName': 'claim',
    'spec.tokenSecretRef': 'tokenSecret',
    'spec.ttlDuration': 'ttl',
    'spec.mode': 'mode',
  };
  return properties[field];
}
