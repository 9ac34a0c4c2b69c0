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

/** Properties of a VolumeImportSource. */
export interface VolumeImportSourceProps extends ResourceProps {
  /** Source of the import. Sources that copy or upload are not allowed. */
  readonly source: DataVolumeSource;
  /**
   * Type of the imported content.
   * @default DiskContent.DISK
   */
  readonly content?: DiskContent;
  /**
   * Whether the space of the disk is allocated in advance.
   * @default - as set in the CDI object
   */
  readonly preallocation?: boolean;
  /**
   * Stages of an import of a running VM, oldest first. Requires `targetClaim`.
   * @default - the import has one stage
   */
  readonly checkpoints?: ImportCheckpoint[];
  /**
   * Whether the last checkpoint completes the import.
   * @default false
   */
  readonly finalCheckpoint?: boolean;
  /**
   * Claim that a multi-stage import fills.
   * @default - none
   */
  readonly targetClaim?: INamedObject;
}

/**
 * Source that fills claims by an import (`cdi.kubevirt.io` VolumeImportSource). A claim uses it through its
 * `dataSourceRef`, as `DataVolumeSource.populator(importSource)` renders it.
 *
 * @example
 * new VolumeImportSource(chart, 'fedora', {
 *   source: DataVolumeSource.registry('quay.io/containerdisks/fedora:42'),
 * });
 */
export class VolumeImportSource extends Resource {
  public readonly apiObject: ApiObject;

  /**
   * @param scope chart or other construct that contains this one
   * @param id id of the construct within its scope; the object's name is generated from it
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

/** Renders the spec of an import. Pure. */
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

/** Properties of a VolumeUploadSource. */
export interface VolumeUploadSourceProps extends ResourceProps {
  /**
   * Type of the uploaded content.
   * @default DiskContent.DISK
   */
  readonly content?: DiskContent;
  /**
   * Whether the space of the disk is allocated in advance.
   * @default - as set in the CDI object
   */
  readonly preallocation?: boolean;
}

/**
 * Source that fills claims with data that a client uploads (`cdi.kubevirt.io` VolumeUploadSource).
 *
 * @example
 * new VolumeUploadSource(chart, 'upload', { content: DiskContent.DISK });
 */
export class VolumeUploadSource extends Resource {
  public readonly apiObject: ApiObject;

  /**
   * @param scope chart or other construct that contains this one
   * @param id id of the construct within its scope; the object's name is generated from it
   * @param props type of the uploaded content
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

/** Object to clone, in the same namespace. An object of another kind is rejected. */
export class CloneOrigin {
  /**
   * Clones a claim, or the claim of a DataVolume.
   *
   * @param claim PersistentVolumeClaim, or the DataVolume that creates it
   * @example
   * new VolumeCloneSource(chart, 'golden', { source: CloneOrigin.claim({ name: 'golden' }) });
   */
  public static claim(claim: INamedObject): CloneOrigin {
    const name = nameOf('CloneOrigin.claim', claim, CLAIMS, 'use CloneOrigin.snapshot for a snapshot');
    return new CloneOrigin({ kind: 'PersistentVolumeClaim', name });
  }

  /**
   * Clones a VolumeSnapshot.
   *
   * @param snapshot VolumeSnapshot
   * @example
   * new VolumeCloneSource(chart, 'golden', { source: CloneOrigin.snapshot({ name: 'golden' }) });
   */
  public static snapshot(snapshot: INamedObject): CloneOrigin {
    const remedy = 'use CloneOrigin.claim for a claim';
    const name = nameOf('CloneOrigin.snapshot', snapshot, ['VolumeSnapshot'], remedy);
    return new CloneOrigin({ apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name });
  }

  private constructor(private readonly reference: TypedLocalObjectReference) {}

  /** @internal */
  public _render(): TypedLocalObjectReference {
    return this.reference;
  }
}

/** Properties of a VolumeCloneSource. */
export interface VolumeCloneSourceProps extends ResourceProps {
  /** Object to clone. */
  readonly source: CloneOrigin;
  /**
   * Whether the space of the disk is allocated in advance.
   * @default - as set in the CDI object
   */
  readonly preallocation?: boolean;
  /**
   * PriorityClass of the Pods that copy the data.
   * @default - none
   */
  readonly priorityClassName?: string;
}

/**
 * Source that fills claims with a copy of another (`cdi.kubevirt.io` VolumeCloneSource).
 *
 * @example
 * new VolumeCloneSource(chart, 'golden', { source: CloneOrigin.claim({ name: 'golden' }) });
 */
export class VolumeCloneSource extends Resource {
  public readonly apiObject: ApiObject;

  /**
   * @param scope chart or other construct that contains this one
   * @param id id of the construct within its scope; the object's name is generated from it
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
