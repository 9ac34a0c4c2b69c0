import { createHash } from 'node:crypto';
import { openapiV2, openapiV2Protobuf, OpenApiResource, openapiV3, openapiV3Index, openapiV3Path } from '../openapi';
import { Kind } from '../registry/kind';
import { KindRegistry } from '../registry/registry';

/** A rendered document. */
export interface Document {
  readonly body: Buffer;
  /** Hash of the content, which clients use as the key of their caches. */
  readonly hash: string;
}

/** Document of another server. */
export interface RemoteDocument {
  readonly group: string;
  readonly version: string;
  readonly document: Document;
}

/** Rendered documents that are not requested for this long are dropped. */
const KEEP_MS = 60_000;

const sha512 = (content: string | Uint8Array) => createHash('sha512').update(content).digest('hex').toUpperCase();

/** A finished document. */
export const documentOf = (body: Buffer): Document => ({ body, hash: sha512(body) });

/** OpenAPI documents of the served resources. Rendered on request, and kept while they are in use. */
export class OpenApi {
  private readonly documents = new Map<string, Document>();
  private revision = -1;
  private timer: NodeJS.Timeout | undefined;
  /** Number of documents that were rendered. */
  public rendered = 0;

  public constructor(
    private readonly kinds: KindRegistry,
    private readonly remote: () => readonly RemoteDocument[] = () => [],
  ) {}

  public v2(): Document {
    return this.document('v2', () => Buffer.from(JSON.stringify(openapiV2(this.kinds.all().map(resourceOf)))));
  }

  public v2Protobuf(): Document {
    const render = () => Buffer.from(openapiV2Protobuf(this.kinds.all().map(resourceOf)));
    return this.document('v2 protobuf', render, this.v2Hash());
  }

  public v3Index(): Document {
    const remote = this.remote();
    return this.document(`v3 ${remote.map(({ document }) => document.hash).join()}`, () => {
      const groups = new Map(this.kinds.all().map((kind) => [openapiV3Path(kind), kind]));
      const entries = [...groups].map(([path, { group, version }]) => ({ group, version, hash: this.v3Hash(path) }));
      const others = remote.map(({ group, version, document: { hash } }) => ({ group, version, hash }));
      return Buffer.from(JSON.stringify(openapiV3Index([...entries, ...others])));
    });
  }

  /** `api/v1`, `apis/apps/v1`; undefined when nothing is served there. */
  public v3(path: string): Document | undefined {
    const resources = this.resourcesAt(path);
    if (!resources.length) return this.remote().find((other) => openapiV3Path(other) === path)?.document;
    const [{ group, version }] = resources;
    const render = () => Buffer.from(JSON.stringify(openapiV3(group, version, resources)));
    return this.document(`v3 ${path}`, render, this.v3Hash(path));
  }

  /** Hash of what a document is rendered from, so that the index renders no documents. */
  private v3Hash(path: string): string {
    return sha512(JSON.stringify(this.resourcesAt(path)));
  }

  private v2Hash(): string {
    return sha512(JSON.stringify(this.kinds.all().map(resourceOf)));
  }

  private resourcesAt(path: string): OpenApiResource[] {
    return this.kinds
      .all()
      .filter((kind) => openapiV3Path(kind) === path)
      .map(resourceOf);
  }

  private document(key: string, render: () => Buffer, hash?: string): Document {
    if (this.revision !== this.kinds.revision) {
      this.revision = this.kinds.revision;
      this.documents.clear();
    }
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.documents.clear(), KEEP_MS).unref();
    let document = this.documents.get(key);
    if (!document) {
      const body = render();
      this.rendered++;
      this.documents.set(key, (document = { body, hash: hash ?? sha512(body) }));
    }
    return document;
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
