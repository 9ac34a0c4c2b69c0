import { StatusCause } from '../../../api/meta';
import { JsonSchema, TypeSchema } from '../schema';
import { AnyObject, UserInfo } from '../types';
import { Fields } from '../validation/fields';
import { ObjectNameRule } from '../validation/names';

/** A column of `kubectl get`. */
export interface Column {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  readonly format?: string;
  readonly description?: string;
  /** 0: always; 1: with `-o wide`. */
  readonly priority?: number;
}

export type Cell = string | number | boolean | null;

/** Columns of a kind in tables. */
export interface Printer {
  readonly columns: readonly Column[];
  row(object: AnyObject, now: number): Cell[];
}

/** Context in which a kind prepares or validates an object. */
export interface StrategyContext {
  readonly user: UserInfo;
  readonly now: string;
  readonly dryRun: boolean;
  warn(message: string): void;
}

/** Paths of `autoscaling/v1` Scale in the object, in dots: `.spec.replicas`. */
export interface ScalePaths {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  readonly labelSelectorPath?: string;
}

/** Rules of an endpoint that writes a part of an object (`pods/ephemeralcontainers`). */
export interface PartStrategy {
  /** Restores everything that this endpoint cannot change. */
  prepare(object: AnyObject, old: AnyObject, context: StrategyContext): void;
  validate(object: AnyObject, old: AnyObject, fields: Fields): void;
}

/** Conversion of objects between the versions of a kind by a webhook. */
export interface Conversion {
  /** `apiVersion` of stored objects. Older ones may be stored in another version. */
  readonly storageVersion: string;
  /** Objects in `apiVersion`, in the same order. @throws StatusError */
  convert(objects: readonly AnyObject[], apiVersion: string): Promise<AnyObject[]>;
}

export type GracePeriod = (object: AnyObject, requested: number | undefined) => number | undefined;

/**
 * One kind in one served version: everything that the generic verbs need to know about it.
 * Built-in kinds are written down under kinds/, custom resources come from their definitions (crd/).
 */
export interface Kind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly listKind: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  /** Key of the stored objects; versions of one resource share it. */
  readonly storage: string;
  readonly nameRule: ObjectNameRule;
  /** Whether spec changes increase `metadata.generation`. */
  readonly generation: boolean;
  /** Warning for users of this version. */
  readonly deprecation?: string;
  /** Whether nothing acts on its objects. Writes are answered with a warning. */
  readonly storedOnly?: boolean;
  /** Whether it has a `status` subresource. */
  readonly status: boolean;
  readonly scale?: ScalePaths;
  /** Subresources other than `status` that are read and written like the object. */
  readonly parts?: Readonly<Record<string, PartStrategy>>;
  /** Custom resources keep apiVersion and kind in list items, built-ins do not. */
  readonly custom: boolean;
  /** Group that validation errors name, if it is that of another version. */
  readonly errorGroup?: string;
  /** Whether a PUT without resourceVersion overwrites. */
  readonly unconditionalUpdate: boolean;
  /** Whether a PUT of a missing object creates it. */
  readonly createOnUpdate: boolean;
  /** Whether DELETE responds with the object instead of a Status. */
  readonly returnsDeleted: boolean;
  /** Whether a deletion without options preserves the objects that this one owns. */
  readonly orphansDependents?: boolean;
  /** Fields that `fieldSelector` may name, in addition to name and namespace. */
  readonly selectableFields: readonly string[];
  /** Error for other fields, if it differs from the default. */
  readonly unsupportedField?: (field: string) => string;
  readonly printer: Printer;
  /** Type of its objects; undefined if it is unknown. */
  readonly schema: TypeSchema | undefined;
  /** `openAPIV3Schema` of a custom resource. */
  readonly openApiSchema?: JsonSchema;

  /** Go's zero value of the kind as JSON: the object before a create, for managedFields. Undefined if it is empty. */
  empty(): AnyObject | undefined;
  fields(object: AnyObject): Record<string, string>;
  /** Shape of a decoded body: types, unknown fields, defaults. Works in place; returns what strict decoding refuses. */
  decode(object: AnyObject): string[];
  /** Converts objects between versions; undefined if `fromStorage` and `toStorage` do so. */
  readonly conversion?: Conversion;
  fromStorage(object: AnyObject): AnyObject;
  /** Whether `fromStorage` changes nothing in objects that are stored in this version: their JSON is sent as stored. */
  readonly verbatim: boolean;
  toStorage(object: AnyObject): AnyObject;
  prepareForCreate(object: AnyObject, context: StrategyContext): void;
  prepareForUpdate(object: AnyObject, old: AnyObject, context: StrategyContext): void;
  /** Prepares an update of `status`. */
  prepareStatus(object: AnyObject, old: AnyObject, context: StrategyContext): void;
  validate(object: AnyObject, fields: Fields): void;
  validateUpdate(object: AnyObject, old: AnyObject, fields: Fields): void;
  validateStatus(object: AnyObject, old: AnyObject, fields: Fields): void;
  /** Schema validation of custom resources, in addition to validate. `earlier`: what validate found. */
  schemaCauses(
    object: AnyObject,
    old: AnyObject | undefined,
    subresource: string,
    earlier?: readonly StatusCause[],
  ): StatusCause[];
  /** Seconds between the request to delete and the deletion; undefined: this kind does not wait. */
  readonly gracePeriod?: GracePeriod;
  /** Called when the deletion of an object starts: may add finalizers and set its status. */
  beginDeletion?(object: AnyObject): void;
  /** Whether the object is kept although its metadata has no finalizers (namespaces with content). */
  holdsDeletion?(object: AnyObject): boolean;
  /** Top-level fields that a write to this endpoint (`''`, `status`) cannot set. */
  resetFields(subresource: string): readonly string[];
}

export const gvOf = (kind: Pick<Kind, 'group' | 'version'>): string =>
  kind.group ? `${kind.group}/${kind.version}` : kind.version;

/** Version in which objects of a kind are stored. */
export const storageVersionOf = (kind: Kind): string =>
  kind.conversion?.storageVersion ??
  kind.toStorage({ apiVersion: gvOf(kind), kind: kind.kind, metadata: {} }).apiVersion;

/** Endpoint that writes a part of an object, if the kind has one of this name. */
export const partOf = ({ parts = {} }: Pick<Kind, 'parts'>, subresource: string): PartStrategy | undefined =>
  Object.hasOwn(parts, subresource) ? parts[subresource] : undefined;

export const subjectOf = (kind: Pick<Kind, 'group' | 'plural'>) => ({ group: kind.group, resource: kind.plural });
