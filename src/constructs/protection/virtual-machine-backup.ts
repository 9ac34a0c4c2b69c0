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
import { propertyOfRequest } from './locate';
import { ofKind, virtualMachine } from './reference';
import { durationText } from './text';

/** Properties of a backup tracker. */
export interface VirtualMachineBackupTrackerProps extends ResourceProps {
  /** Virtual machine whose backups are tracked. */
  readonly source: IVirtualMachine;
}

/**
 * Tracks the last backup of a VM, so that the next backup contains only what changed since
 * (`backup.kubevirt.io/v1alpha1` VirtualMachineBackupTracker). Requires the feature gate IncrementalBackup.
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
   * @param scope chart or other construct that contains this one
   * @param id id of the construct within its scope; the object's name is generated from it
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
    validateOnSynth(this, { body: () => ({ spec }), locate: propertyOfRequest });
  }

  /** Kind of the object. */
  public get kind(): 'VirtualMachineBackupTracker' {
    return 'VirtualMachineBackupTracker';
  }
}

/** Source of a backup. An object of another kind is rejected. */
export class BackupSource {
  /**
   * Backs up a whole VM.
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
   * Backs up what has changed since the last backup of the tracker's VM.
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
    /** The source object, for its namespace. @internal */
    public readonly _object: INamedObject,
  ) {}
}

/** Options of a backup. */
export interface VirtualMachineBackupOptions extends ResourceProps {
  /**
   * How the backup is delivered.
   * @default BackupMode.PUSH
   */
  readonly mode?: BackupMode;
  /**
   * Secret with the key `token`, which each download must present. Required by BackupMode.PULL.
   * @default - none
   */
  readonly tokenSecret?: INamedObject;
  /**
   * Time for which the download is offered, from the backup's creation.
   * @default - 2 hours
   */
  readonly ttl?: Duration;
  /**
   * Whether everything is backed up, even if the tracker knows an earlier backup.
   * @default false
   */
  readonly forceFullBackup?: boolean;
  /**
   * Whether the backup is taken without freezing the guest's file systems.
   * @default false
   */
  readonly skipQuiesce?: boolean;
}

/** Properties of a backup. */
export interface VirtualMachineBackupProps extends VirtualMachineBackupOptions {
  /** Source of the backup. */
  readonly source: BackupSource;
  /**
   * PersistentVolumeClaim to which the backup is written. With BackupMode.PULL, it holds what the guest writes during
   * the download.
   */
  readonly claim: INamedObject;
}

/**
 * Backs up a running VM once, when the object is applied (`backup.kubevirt.io/v1alpha1` VirtualMachineBackup). Requires
 * the feature gate IncrementalBackup.
 *
 * @example
 * new VirtualMachineBackup(chart, 'backup', {
 *   source: BackupSource.virtualMachine(vm),
 *   claim: { name: 'backups' },
 * });
 */
export class VirtualMachineBackup extends Resource implements IVirtualMachineBackup {
  public readonly apiObject: ApiObject;
  /** How the backup is delivered, if set. */
  public readonly mode?: BackupMode;

  /**
   * @param scope chart or other construct that contains this one
   * @param id id of the construct within its scope; the object's name is generated from it
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
    validateOnSynth(this, { body: () => ({ spec }), locate: propertyOfRequest });
  }

  /** Kind of the object. */
  public get kind(): 'VirtualMachineBackup' {
    return 'VirtualMachineBackup';
  }
}
