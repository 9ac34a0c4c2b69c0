import { ApiObject, ApiObjectMetadata, ApiObjectMetadataDefinition } from 'cdk8s';
import { Construct } from 'constructs';
import { checkPlace } from './signatures';

/** Anything with a name: a construct of this library, of any version of cdk8s-plus, or `{ name: 'existing' }`. */
export interface INamedObject {
  /** Name of the object in its namespace. */
  readonly name: string;
}

/** What every object takes. */
export interface ResourceProps {
  /**
   * Name, namespace, labels, annotations of the object.
   * @default - the name follows from the construct's path
   */
  readonly metadata?: ApiObjectMetadata;
}

/** A Kubernetes object of this library. Its manifest is the child construct `Resource`; `ApiObject.of()` finds it. */
export abstract class Resource extends Construct implements INamedObject {
  /** The manifest: `apiObject.addJsonPatch(…)` changes whatever no property reaches. */
  public abstract readonly apiObject: ApiObject;

  /**
   * @param scope chart, or another construct that this one belongs to
   * @param id id of the construct within its scope; the name of the object follows from it
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
