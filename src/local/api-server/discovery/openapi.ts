import { createHash } from 'node:crypto';
import { openapiV2, openapiV2Protobuf, OpenApiResource, openapiV3, openapiV3Index, openapiV3Path } from '../openapi';
import { Kind } from '../registry/kind';
import { KindRegistry } from '../registry/registry';

/** OpenAPI documents of the served resources. Rendered on request; only hashes are cached. */
export class OpenApi {
  private hashes = new Map<string, string>();
  private revision = -1;

  public constructor(private readonly kinds: KindRegistry) {}

  public v2(): object {
    return openapiV2(this.kinds.all().map(resourceOf));
  }

  public v2Protobuf(): Uint8Array {
    return openapiV2Protobuf(this.kinds.all().map(resourceOf));
  }

  public v3Index(): object {
    if (this.revision !== this.kinds.revision) {
      this.revision = this.kinds.revision;
      this.hashes = new Map();
    }
    const groups = new Map(this.kinds.all().map((kind) => [openapiV3Path(kind), kind]));
    return openapiV3Index(
      [...groups].map(([path, { group, version }]) => ({ group, version, hash: this.hash(path, group, version) })),
    );
  }

  /** `api/v1`, `apis/apps/v1`; undefined when nothing is served there. */
  public v3(path: string): object | undefined {
    const resources = this.kinds.all().filter((kind) => openapiV3Path(kind) === path);
    if (!resources.length) return undefined;
    return openapiV3(resources[0].group, resources[0].version, resources.map(resourceOf));
  }

  private hash(path: string, group: string, version: string): string {
    let hash = this.hashes.get(path);
    if (!hash) {
      const resources = this.kinds.all().filter((kind) => kind.group === group && kind.version === version);
      const text = JSON.stringify(resources.map(resourceOf));
      hash = createHash('sha512').update(text).digest('hex').slice(0, 64).toUpperCase();
      this.hashes.set(path, hash);
    }
    return hash;
  }
}

function resourceOf(kind: Kind): OpenApiResource {
  return {
    group: kind.group,
    version: kind.version,
    kind: kind.kind,
    plural: kind.plural,
    namespaced: kind.namespaced,
    subresources: [...(kind.status ? ['status'] : []), ...(kind.scale ? ['scale'] : [])],
    ...(kind.openApiSchema ? { crdSchema: kind.openApiSchema } : {}),
  };
}
