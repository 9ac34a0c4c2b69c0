import { Size } from 'cdk8s';

/** Differences between environments. A new field is a compile error until every environment has a value. */
export interface Environment {
  /** Host name of the shop. */
  readonly host: string;
  /** Image of the guests. Production uses the one that was tested in staging. */
  readonly image: string;
  /** Number of guests. */
  readonly replicas: number;
  /** CPU sockets of each guest. */
  readonly sockets: number;
  /** Memory of each guest. */
  readonly memory: Size;
  /** Whether the guests must be on different nodes. */
  readonly apart: boolean;
}

export const environments: { readonly [name: string]: Environment } = {
  dev: {
    host: 'dev.shop.example',
    image: 'registry.example/shop-vm:1.5.0-rc.2',
    replicas: 1,
    sockets: 1,
    memory: Size.gibibytes(1),
    apart: false,
  },
  staging: {
    host: 'staging.shop.example',
    image: 'registry.example/shop-vm:1.5.0-rc.1',
    replicas: 2,
    sockets: 2,
    memory: Size.gibibytes(4),
    apart: true,
  },
  production: {
    host: 'shop.example',
    image: 'registry.example/shop-vm:1.4.0',
    replicas: 3,
    sockets: 2,
    memory: Size.gibibytes(4),
    apart: true,
  },
};
