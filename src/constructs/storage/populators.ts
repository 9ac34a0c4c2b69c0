import type { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import type {
  VolumeCloneSourceSpec,
  VolumeImportSourceSpec,
  VolumeUploadSourceSpec,
} from '../../api/generated/cdi-v1beta1';
import type { TypedLocalObjectReference } from '../../api/generated/core-v1';
import { defined } from '../defined';
import { VolumeCloneSourceObject, VolumeImportSourceObject, VolumeUploadSourceObject } from '../generated/cdi-v1beta1';
import { INamedObject, Resource, ResourceProps } from '../resource';
import { checkProps } from '../signatures';
import { validateOnSynth } from '../validation';
import type { DiskContent } from './claim-choices';
import type { ImportCheckpoint } from './claim-options';
import type { DataVolumeSource } from './data-volume-source';
import { propertyOfDataVolume } from './locate';
import { CLAIMS, namespaceHere, nameOf } from './reference';
import { renderCheckpoints } from './render';

const locate = (field: string): string | undefined => {
  const own = field.replace(/^spec\./, '');
  return own === 'targetClaim' ? own : propertyOfDataVolume(own);
};

/** What a VolumeImportSource takes. */
export interface VolumeImportSourceProps extends ResourceProps {
  /** What is imported; not what is copied or uploaded. */
  readonly source: DataVolumeSource;
  /**
   * What is imported.
   * @default DiskContent.DISK
   */
  readonly content?: DiskContent;
  /**
   * Space is set aside before anything is written.
   * @default - as the CDI object says
   */
  readonly preallocation?: boolean;
  /**
   * Stages of an import of a running VM, oldest first. They need `targetClaim`.
   * @default - the import has one stage
   */
  readonly checkpoints?: ImportCheckpoint[];
  /**
   * The last checkpoint is the last of all.
   * @default false
   */
  readonly finalCheckpoint?: boolean;
  /**
   * The claim of an import in stages.
   * @default - none
   */
  readonly targetClaim?: INamedObject;
}

/**
 * Fills claims by an import (`cdi.kubevirt.io` VolumeImportSource): those whose `dataSourceRef` names it, as
 * `DataVolumeSource.populator(importSource)` does.
 *
 * @example
 * new VolumeImportSource(chart, 'fedora', {
 *   source: DataVolumeSource.registry('quay.io/containerdisks/fedora:42'),
 * });
 */
export class VolumeImportSource extends Resource {
  public readonly apiObject: ApiObject;

  /**
   * @param scope chart, or another construct that this one belongs to
   * @param id id of the construct within its scope; the name of the object follows from it
   * @param props image to import
   */
  constructor(scope: Construct, id: string, props: VolumeImportSourceProps) {
    super(scope, id);
    checkProps(this, new.target, props);
    const { metadata } = props;
    const spec = renderImport(props, namespaceHere(this, metadata));
    this.apiObject = new VolumeImportSourceObject(this, 'Resource', { metadata, spec });
    validateOnSynth(this, { body: () => ({ spec }), locate });
  }
}

/** Pure. */
function renderImport(props: VolumeImportSourceProps, namespace: string | undefined): VolumeImportSourceSpec {
  const { source, content, preallocation, checkpoints, finalCheckpoint, targetClaim } = props;
  return defined({
    source: source._render(namespace).source as VolumeImportSourceSpec['source'],
    contentType: content?.value as VolumeImportSourceSpec['contentType'],
    preallocation,
    checkpoints: renderCheckpoints(checkpoints),
    finalCheckpoint,
    targetClaim:
      targetClaim && nameOf('VolumeImportSource: targetClaim', targetClaim, CLAIMS, 'use a PersistentVolumeClaim'),
  });
}

/** What a VolumeUploadSource takes. */
export interface VolumeUploadSourceProps extends ResourceProps {
  /**
   * What is uploaded.
   * @default DiskContent.DISK
   */
  readonly content?: DiskContent;
  /**
   * Space is set aside before anything is written.
   * @default - as the CDI object says
   */
  readonly preallocation?: boolean;
}

/**
 * Fills claims by what a client sends (`cdi.kubevirt.io` VolumeUploadSource).
 *
 * @example
 * new VolumeUploadSource(chart, 'upload', { content: DiskContent.DISK });
 */
export class VolumeUploadSource extends Resource {
  public readonly apiObject: ApiObject;

  /**
   * @param scope chart, or another construct that this one belongs to
   * @param id id of the construct within its scope; the name of the object follows from it
   * @param props kind of the uploaded content
   */
  constructor(scope: Construct, id: string, props: VolumeUploadSourceProps = {}) {
    super(scope, id);
    checkProps(this, new.target, props);
    const { metadata, content, preallocation } = props;
    const spec: VolumeUploadSourceSpec = defined({
      contentType: content?.value as VolumeUploadSourceSpec['contentType'],
      preallocation,
    });
    this.apiObject = new VolumeUploadSourceObject(this, 'Resource', { metadata, spec });
    validateOnSynth(this, { body: () => ({ spec }), locate });
  }
}

/** What is cloned, in the same namespace. An object that tells another kind is refused. */
export class CloneOrigin {
  /**
   * A claim, or the claim of a DataVolume.
   *
   * @param claim PersistentVolumeClaim, or the DataVolume that makes it
   * @example
   * new VolumeCloneSource(chart, 'golden', { source: CloneOrigin.claim({ name: 'golden' }) });
   */
  public static claim(claim: INamedObject): CloneOrigin {
    const name = nameOf('CloneOrigin.claim', claim, CLAIMS, 'clone a snapshot by CloneOrigin.snapshot');
    return new CloneOrigin({ kind: 'PersistentVolumeClaim', name });
  }

  /**
   * A VolumeSnapshot.
   *
   * @param snapshot VolumeSnapshot
   * @example
   * new VolumeCloneSource(chart, 'golden', { source: CloneOrigin.snapshot({ name: 'golden' }) });
   */
  public static snapshot(snapshot: INamedObject): CloneOrigin {
    const remedy = 'clone a claim by CloneOrigin.claim';
    const name = nameOf('CloneOrigin.snapshot', snapshot, ['VolumeSnapshot'], remedy);
    return new CloneOrigin({ apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name });
  }

  private constructor(private readonly reference: TypedLocalObjectReference) {}

  /** @internal */
  public _render(): TypedLocalObjectReference {
    return this.reference;
  }
}

/** What a VolumeCloneSource takes. */
export interface VolumeCloneSourceProps extends ResourceProps {
  /** What is cloned. */
  readonly source: CloneOrigin;
  /**
   * Space is set aside before anything is written.
   * @default - as the CDI object says
   */
  readonly preallocation?: boolean;
  /**
   * PriorityClass of the Pods that copy.
   * @default - none
   */
  readonly priorityClassName?: string;
}

/**
 * Fills claims by a copy (`cdi.kubevirt.io` VolumeCloneSource).
 *
 * @example
 * new VolumeCloneSource(chart, 'golden', { source: CloneOrigin.claim({ name: 'golden' }) });
 */
export class VolumeCloneSource extends Resource {
  public readonly apiObject: ApiObject;

  /**
   * @param scope chart, or another construct that this one belongs to
   * @param id id of the construct within its scope; the name of the object follows from it
   * @param props claim or snapshot to copy
   */
  constructor(scope: Construct, id: string, props: VolumeCloneSourceProps) {
    super(scope, id);
    checkProps(this, new.target, props);
    const { metadata, source, preallocation, priorityClassName } = props;
    const spec: VolumeCloneSourceSpec = defined({ source: source._render(), preallocation, priorityClassName });
    this.apiObject = new VolumeCloneSourceObject(this, 'Resource', { metadata, spec });
    validateOnSynth(this, { body: () => ({ spec }), locate });
  }
}
