import { ApiObject, ApiObjectMetadata, ApiObjectMetadataDefinition } from 'cdk8s';
import { Construct } from 'constructs';
import { checkPlace } from './signatures';

/**
 * Any named Kubernetes object: a construct of this library or of any version of cdk8s-plus, or `{ name: 'existing' }`.
 */
export interface INamedObject {
  /** Name of the object in its namespace. */
  readonly name: string;
}

/** Properties that every resource accepts. */
export interface ResourceProps {
  /**
   * Name, namespace, labels and annotations of the object.
   * @default - the name is generated from the construct's path
   */
  readonly metadata?: ApiObjectMetadata;
}

/** A Kubernetes object of this library. Its manifest is the child construct `Resource`; `ApiObject.of()` finds it. */
export abstract class Resource extends Construct implements INamedObject {
  /** Manifest of the object. `apiObject.addJsonPatch(…)` changes fields that no property sets. */
  public abstract readonly apiObject: ApiObject;

  /**
   * @param scope chart or other construct that contains this one
   * @param id id of the construct within its scope; the object's name is generated from it
   */
  constructor(scope: Construct, id: string) {
    checkPlace(scope, id);
    super(scope, id);
  }

  /** Name of the object in its namespace. */
  public get name(): string {
    return this.apiObject.name;
  }

  /** API group and version, such as `kubevirt.io/v1`. */
  public get apiVersion(): string {
    return this.apiObject.apiVersion;
  }

  /** Kind of the object. */
  public get kind(): string {
    return this.apiObject.kind;
  }

  /** Labels, annotations and finalizers of the object. */
  public get metadata(): ApiObjectMetadataDefinition {
    return this.apiObject.metadata;
  }
}
