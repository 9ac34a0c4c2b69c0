import type { Check } from '../finding';
import { apis } from './api-services';
import { certificates } from './certificates';
import { claims } from './claims';
import { containerDisks } from './container-disks';
import { definitions } from './definitions';
import { engine } from './engine';
import { images } from './images';
import { installation } from './installation';
import { kvm } from './kvm';
import { machines } from './machines';
import { monitoring } from './monitoring';
import { namespaces } from './namespaces';
import { neighbours } from './neighbours';
import { nodes } from './nodes';
import { policies } from './policies';
import { programs } from './programs';
import { server } from './server';
import { storage } from './storage';
import { webhooks } from './webhooks';

/** Checks of a cluster, in the order in which they are printed: what others depend on comes first. */
export const clusterChecks: readonly Check[] = [
  server,
  installation,
  neighbours,
  definitions,
  programs,
  certificates,
  webhooks,
  apis,
  policies,
  nodes,
  kvm,
  containerDisks,
  images,
  storage,
  claims,
  namespaces,
  machines,
  monitoring,
];

/** Checks of the engine of this machine. */
export const engineChecks: readonly Check[] = [engine];
