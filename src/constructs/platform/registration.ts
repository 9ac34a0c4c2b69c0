import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import {
  virtApiMutatingWebhooks,
  virtApiService,
  virtApiServices,
  virtApiValidatingWebhooks,
} from '../../api/platform';
import { clusterObjectOf, objectOf, type Manifest } from './objects';

/** Where the API server asks virt-api, and for what. */
export class PlatformRegistration extends Construct {
  /** @internal */
  public static _make(
    scope: Construct,
    id: string,
    namespace: string,
    annotations?: { [name: string]: string },
  ): PlatformRegistration {
    return new PlatformRegistration(scope, id, namespace, annotations);
  }

  /** The Service of virt-api. */
  public readonly service: ApiObject;
  /** Defaults (`virt-api-mutator`). */
  public readonly mutatingWebhooks: ApiObject;
  /** Rules (`virt-api-validator`). */
  public readonly validatingWebhooks: ApiObject;
  /** The aggregated API, a version each. */
  public readonly apiServices: ApiObject[];

  private constructor(scope: Construct, id: string, namespace: string, annotations?: { [name: string]: string }) {
    super(scope, id);
    // who makes the certificates writes by whom they are signed
    const options = { namespace };
    const annotated = (object: Manifest): Manifest =>
      annotations ? { ...object, metadata: { ...object.metadata, annotations } } : object;
    this.service = objectOf(this, 'Service', virtApiService(options) as Manifest);
    this.apiServices = virtApiServices(options).map((object) =>
      clusterObjectOf(this, object.metadata.name ?? '', annotated(object as Manifest)),
    );
    this.mutatingWebhooks = clusterObjectOf(this, 'Mutating', annotated(virtApiMutatingWebhooks(options) as Manifest));
    this.validatingWebhooks = clusterObjectOf(
      this,
      'Validating',
      annotated(virtApiValidatingWebhooks(options) as Manifest),
    );
  }
}
