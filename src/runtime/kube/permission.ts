import type { Access } from '../../api';
import type { KubeObject } from '../../api/meta';
import type { KubeClient } from './client';
import { resources } from './resources';

/** User whose permissions are checked. */
export interface Subject {
  readonly username?: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

interface SubjectAccessReview extends KubeObject {
  spec: unknown;
  status?: { allowed?: boolean };
}

/** Asks the API server whether a user may do something. */
export const permissionsOf =
  (client: KubeClient, { username, uid, groups, extra }: Subject) =>
  async (access: Access): Promise<boolean> => {
    const review: SubjectAccessReview = await client.create(resources.subjectAccessReviews, {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SubjectAccessReview',
      metadata: {},
      spec: { user: username, ...(uid ? { uid } : {}), groups, extra, resourceAttributes: access },
    } as SubjectAccessReview);
    return review.status?.allowed ?? false;
  };
