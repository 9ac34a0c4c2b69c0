import type { KubeObject } from '../../api/meta';
import type { Resource } from '../../runtime/kube';

/** The parts of networking.k8s.io/v1 that the front end reads and writes. */

export interface ServiceBackend {
  name: string;
  port?: { name?: string; number?: number };
}

export interface IngressBackend {
  service?: ServiceBackend;
  resource?: { kind: string; name: string };
}

export interface HttpPath {
  path?: string;
  pathType: string;
  backend: IngressBackend;
}

export interface LoadBalancerPoint {
  ip?: string;
  ports?: { port: number; protocol: string }[];
}

export interface Ingress extends KubeObject {
  spec?: {
    ingressClassName?: string;
    defaultBackend?: IngressBackend;
    rules?: { host?: string; http?: { paths?: HttpPath[] } }[];
    tls?: { hosts?: string[]; secretName?: string }[];
  };
  status?: { loadBalancer?: { ingress?: LoadBalancerPoint[] } };
}

export interface IngressClass extends KubeObject {
  spec?: { controller?: string };
}

const of = (plural: string, kind: string, namespaced: boolean): Resource => ({
  group: 'networking.k8s.io',
  version: 'v1',
  plural,
  kind,
  namespaced,
});

export const INGRESSES = of('ingresses', 'Ingress', true);
export const INGRESS_CLASSES = of('ingressclasses', 'IngressClass', false);
