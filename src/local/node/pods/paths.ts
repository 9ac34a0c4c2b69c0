import { join } from 'node:path';

/** Paths of a node. The layout of Pod directories is the kubelet's, on which virt-handler relies. */
export class NodePaths {
  public readonly root: string;
  public readonly kubelet: string;
  public readonly pods: string;
  public readonly devicePlugins: string;
  /** Seccomp profiles of type Localhost. */
  public readonly seccomp: string;
  public readonly containers: string;
  /** State of crun. */
  public readonly crun: string;
  public readonly exits: string;
  public readonly attach: string;

  public constructor(
    public readonly stateDir: string,
    public readonly nodeName: string,
  ) {
    this.root = join(stateDir, 'nodes', nodeName);
    this.kubelet = join(this.root, 'kubelet');
    this.pods = join(this.kubelet, 'pods');
    this.devicePlugins = join(this.kubelet, 'device-plugins');
    this.seccomp = join(this.kubelet, 'seccomp');
    this.containers = join(this.root, 'containers');
    this.crun = join(this.root, 'crun');
    this.exits = join(this.root, 'exits');
    this.attach = join(this.root, 'attach');
  }

  public pod(uid: string): string {
    return join(this.pods, uid);
  }

  /** Namespaces, resolv.conf, hosts and shared memory of a Pod. */
  public sandbox(uid: string, ...rest: string[]): string {
    return join(this.pods, uid, 'sandbox', ...rest);
  }

  /** `kind` is the kubelet's plugin directory: `kubernetes.io~empty-dir`. */
  public volume(uid: string, kind: string, name: string): string {
    return join(this.pods, uid, 'volumes', kind, name);
  }

  public container(id: string, ...rest: string[]): string {
    return join(this.containers, id, ...rest);
  }
}
