import { referencesOf } from '../../../../../src/local/api-server/authorization/node-relations';
import { AnyObject } from '../../../../../src/local/api-server/types';

const pod = (spec: object, annotations: Record<string, string> = {}): AnyObject =>
  ({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web', namespace: 'shop', annotations }, spec }) as AnyObject;

test.each<[string, AnyObject, string[]]>([
  ['a Pod without a spec', pod({}), []],
  ['its account', pod({ serviceAccountName: 'shop' }), ['serviceaccounts/shop']],
  ['secrets for its images', pod({ imagePullSecrets: [{ name: 'pull' }, {}] }), ['secrets/pull']],
  [
    'variables of all containers',
    pod({
      initContainers: [{ env: [{ valueFrom: { secretKeyRef: { name: 'a' } } }] }],
      containers: [{ env: [{ valueFrom: { configMapKeyRef: { name: 'b' } } }, { value: 'x' }] }],
      ephemeralContainers: [{ envFrom: [{ secretRef: { name: 'c' } }, { configMapRef: { name: 'd' } }] }],
    }),
    ['secrets/a', 'configmaps/b', 'secrets/c', 'configmaps/d'],
  ],
  [
    'volumes',
    pod({
      volumes: [
        { name: 'a', secret: { secretName: 'a' } },
        { name: 'b', configMap: { name: 'b' } },
        { name: 'c', persistentVolumeClaim: { claimName: 'c' } },
        { name: 'd', ephemeral: { volumeClaimTemplate: {} } },
        { name: 'e', projected: { sources: [{ secret: { name: 'e' } }, { configMap: { name: 'f' } }] } },
        { name: 'g', csi: { nodePublishSecretRef: { name: 'g' } } },
        { name: 'h', emptyDir: {} },
      ],
    }),
    [
      'secrets/a',
      'configmaps/b',
      'persistentvolumeclaims/c',
      'persistentvolumeclaims/web-d',
      'secrets/e',
      'configmaps/f',
      'secrets/g',
    ],
  ],
  [
    'nothing of a Pod that its node declared',
    pod({ serviceAccountName: 'shop' }, { 'kubernetes.io/config.mirror': 'x' }),
    [],
  ],
])('%s', (_, object, wanted) => expect(referencesOf(object)).toEqual(wanted));
