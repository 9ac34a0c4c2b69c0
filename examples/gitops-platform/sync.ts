import { ApiObject, type Chart } from 'cdk8s';

/** Repository with the synthesized manifests. */
export interface Repository {
  readonly url: string;
  readonly branch: string;
}

/** Folder that is applied after the one before it, and removed before it. */
export interface Step {
  readonly name: string;
  readonly folder: string;
  /** Whether its objects are deleted together with the step. */
  readonly prune: boolean;
}

/**
 * Application of Argo CD. The annotations of the objects order them: Argo CD waits until the objects of a wave are healthy,
 * and deletes the waves in the reverse order, each after the one before is gone.
 */
export function argoCd(chart: Chart, { url, branch }: Repository, folders: readonly string[]): void {
  new ApiObject(chart, 'virtualization', {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: {
      name: 'virtualization',
      namespace: 'argocd',
      // without it, deleting the application leaves everything running
      finalizers: ['resources-finalizer.argocd.argoproj.io'],
    },
    spec: {
      project: 'default',
      source: {
        repoURL: url,
        targetRevision: branch,
        path: 'dist',
        directory: { recurse: true, include: `{${folders.map((folder) => `${folder}/*`).join(',')}}` },
      },
      destination: { server: 'https://kubernetes.default.svc' },
      syncPolicy: { automated: { prune: true, selfHeal: true } },
    },
  });
}

/** Kustomizations of Flux, one for each step. Flux orders their creation by dependsOn, but not their removal. */
export function flux(chart: Chart, { url, branch }: Repository, steps: readonly Step[]): void {
  const namespace = 'flux-system';
  new ApiObject(chart, 'source', {
    apiVersion: 'source.toolkit.fluxcd.io/v1',
    kind: 'GitRepository',
    metadata: { name: 'virtualization', namespace },
    spec: { url, ref: { branch }, interval: '1m' },
  });
  steps.forEach(({ name, folder, prune }, i) => {
    const before = steps[i - 1];
    new ApiObject(chart, name, {
      apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
      kind: 'Kustomization',
      metadata: { name: `virtualization-${name}`, namespace },
      spec: {
        sourceRef: { kind: 'GitRepository', name: 'virtualization' },
        path: `./dist/${folder}`,
        interval: '10m',
        timeout: '10m',
        // the next step begins when the objects of this one are ready
        wait: true,
        prune,
        ...(prune ? { deletionPolicy: 'WaitForTermination' } : {}),
        ...(before ? { dependsOn: [{ name: `virtualization-${before.name}` }] } : {}),
      },
    });
  });
}
