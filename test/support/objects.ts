import { readFileSync } from 'node:fs';
import { allKinds, type KindName, namesOfKind } from '../../src/api/kinds/registry';
import type { KubeObject } from '../../src/api';
import { KubeClient, loadKubeConfig, type Resource, resources } from '../../src/runtime/kube';
import { ours } from '../../src/runtime/kube/resources';

const SHORT: Readonly<Record<string, keyof typeof resources>> = {
  po: 'pods',
  pvc: 'persistentVolumeClaims',
  pv: 'persistentVolumes',
  ns: 'namespaces',
  svc: 'services',
  cm: 'configMaps',
  no: 'nodes',
  deploy: 'deployments',
};

/** Resources by every name that kubectl accepts for them. */
const NAMES: ReadonlyMap<string, Resource> = new Map([
  ...Object.values(resources).flatMap((each) =>
    [each.plural, each.kind.toLowerCase()].map((name) => [name, each] as const),
  ),
  ...Object.entries(SHORT).map(([name, key]) => [name, resources[key]] as const),
  ...allKinds.flatMap((kind: KindName) => namesOfKind(kind).map((name) => [name, ours(kind)] as const)),
]);

/** Reads objects of an engine without kubectl, whose start takes more CPU time than a test that waits should take from its guest. */
export class Objects {
  private client: KubeClient | undefined;
  private text = '';

  public constructor(private readonly kubeconfig: string) {}

  /** Undefined if only kubectl knows the kind. */
  public get(kind: string, name: string, namespace: string): Promise<KubeObject> | undefined {
    const resource = NAMES.get(kind);
    if (!resource) return undefined;
    return this.connect().get(resource, { name, ...(resource.namespaced && { namespace }) });
  }

  /** With kubectl's flags, by default in the namespace `standard`. Undefined if only kubectl knows the kind or a flag. */
  public list(kind: string, args: readonly string[], standard: string): Promise<KubeObject[]> | undefined {
    const resource = NAMES.get(kind);
    const flags = flagsOf(args);
    if (!resource || !flags) return undefined;
    const { isEverywhere, namespace = standard, ...selectors } = flags;
    const where = resource.namespaced && !isEverywhere ? { namespace } : {};
    return this.connect()
      .list(resource, { ...where, ...selectors })
      .then(({ items }) => items);
  }

  public close(): void {
    this.client?.close();
    this.client = undefined;
  }

  /** An engine that was started again may have other certificates. */
  private connect(): KubeClient {
    const text = readFileSync(this.kubeconfig, 'utf8');
    if (!this.client || text !== this.text) {
      this.close();
      this.client = new KubeClient(loadKubeConfig(this.kubeconfig), { userAgent: 'tests' });
      this.text = text;
    }
    return this.client;
  }
}

interface Flags {
  readonly namespace?: string;
  readonly isEverywhere?: boolean;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

function flagsOf(args: readonly string[]): Flags | undefined {
  let flags: Flags = {};
  for (let i = 0; i < args.length; i++) {
    const [name, attached] = args[i]!.split(/=(.*)/s, 2);
    if (name === '-A') flags = { ...flags, isEverywhere: true };
    else {
      const key = { '-n': 'namespace', '-l': 'labelSelector', '--field-selector': 'fieldSelector' }[name!];
      const value = attached ?? args[++i];
      if (!key || value === undefined) return undefined;
      flags = { ...flags, [key]: value };
    }
  }
  return flags;
}
