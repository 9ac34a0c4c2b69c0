import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import {
  virtApiMutatingWebhooks,
  virtApiService,
  virtApiServices,
  virtApiValidatingWebhooks,
} from '../../api/platform';
import { clusterObjectOf, objectOf, type Manifest } from './objects';

/** Registration of virt-api with the API server: Service, webhooks and aggregated API. */
export class PlatformRegistration extends Construct {
  /** @internal */
  public static _make(
    scope: Construct,
    id: string,
    namespace: string,
    importer: boolean,
    annotations?: { [name: string]: string },
  ): PlatformRegistration {
    return new PlatformRegistration(scope, id, { namespace, importer }, annotations);
  }

  /** Service of virt-api. */
  public readonly service: ApiObject;
  /** Webhooks that set defaults (`virt-api-mutator`). */
  public readonly mutatingWebhooks: ApiObject;
  /** Webhooks that validate (`virt-api-validator`). */
  public readonly validatingWebhooks: ApiObject;
  /** APIServices of the aggregated API, one for each version. */
  public readonly apiServices: ApiObject[];

  private constructor(
    scope: Construct,
    id: string,
    options: { namespace: string; importer: boolean },
    annotations?: { [name: string]: string },
  ) {
    super(scope, id);
    // the issuer of the certificates writes the CA bundle into these objects
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
