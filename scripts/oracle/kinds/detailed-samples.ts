import { Sample, sample } from './samples';

/** Objects with many fields, whose rules the comparison tries one by one. */
export const detailedSamples: readonly Sample[] = [
  ...core('Pod', 'pods', [
    {
      name: 'volumes',
      spec: {
        automountServiceAccountToken: false,
        containers: [
          {
            name: 'c',
            image: 'registry.example/app:1',
            volumeMounts: [
              { name: 'config', mountPath: '/config', readOnly: true, recursiveReadOnly: 'IfPossible' },
              { name: 'claim', mountPath: '/claim', subPath: 'a/b', mountPropagation: 'None' },
              { name: 'host', mountPath: '/host', subPathExpr: '$(A)' },
            ],
            volumeDevices: [{ name: 'block', devicePath: '/dev/block' }],
          },
        ],
        volumes: [
          {
            name: 'config',
            configMap: { name: 'c', defaultMode: 420, optional: true, items: [{ key: 'k', path: 'p', mode: 256 }] },
          },
          { name: 'secret', secret: { secretName: 's', items: [{ key: 'k', path: 'p' }] } },
          {
            name: 'projected',
            projected: {
              sources: [
                { secret: { name: 's', items: [{ key: 'k', path: 'one' }] } },
                { serviceAccountToken: { path: 'token', expirationSeconds: 3600, audience: 'a' } },
                { downwardAPI: { items: [{ path: 'two', fieldRef: { fieldPath: 'metadata.labels' } }] } },
              ],
            },
          },
          {
            name: 'down',
            downwardAPI: {
              items: [{ path: 'cpu', resourceFieldRef: { containerName: 'c', resource: 'limits.cpu', divisor: '1m' } }],
            },
          },
          { name: 'host', hostPath: { path: '/data', type: 'Directory' } },
          { name: 'nfs', nfs: { server: 'nfs.example', path: '/share' } },
          { name: 'claim', persistentVolumeClaim: { claimName: 'claim', readOnly: true } },
          { name: 'block', persistentVolumeClaim: { claimName: 'block' } },
          { name: 'csi', csi: { driver: 'csi.example', volumeAttributes: { a: 'b' } } },
          { name: 'empty', emptyDir: { medium: 'Memory', sizeLimit: '1Mi' } },
          { name: 'image', image: { reference: 'registry.example/data:1', pullPolicy: 'Always' } },
          {
            name: 'own',
            ephemeral: {
              volumeClaimTemplate: {
                spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
              },
            },
          },
        ],
      },
    },
    {
      name: 'containers',
      spec: {
        automountServiceAccountToken: false,
        initContainers: [{ name: 'side', image: 'registry.example/side:1', restartPolicy: 'Always' }],
        containers: [
          {
            name: 'c',
            image: 'registry.example/app:1',
            imagePullPolicy: 'Always',
            command: ['run'],
            args: ['a'],
            workingDir: '/w',
            ports: [{ containerPort: 80, name: 'http', protocol: 'TCP', hostPort: 8080, hostIP: '127.0.0.1' }],
            envFrom: [{ prefix: 'P_', configMapRef: { name: 'c', optional: true } }, { secretRef: { name: 's' } }],
            env: [
              { name: 'A', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.name' } } },
              { name: 'B', valueFrom: { resourceFieldRef: { resource: 'limits.memory' } } },
              { name: 'C', valueFrom: { secretKeyRef: { name: 's', key: 'k', optional: true } } },
              { name: 'D', valueFrom: { configMapKeyRef: { name: 'c', key: 'k' } } },
            ],
            resources: { requests: { cpu: '1', 'example.com/gpu': '1' }, limits: { cpu: '2', 'example.com/gpu': '1' } },
            resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'NotRequired' }],
            livenessProbe: { exec: { command: ['live'] }, initialDelaySeconds: 1, terminationGracePeriodSeconds: 5 },
            readinessProbe: { tcpSocket: { port: 'http', host: 'h' }, successThreshold: 2 },
            startupProbe: {
              grpc: { port: 90, service: 's' },
              failureThreshold: 5,
              periodSeconds: 2,
              timeoutSeconds: 3,
            },
            lifecycle: {
              postStart: { exec: { command: ['post'] } },
              preStop: {
                httpGet: { path: '/', port: 80, scheme: 'HTTPS', httpHeaders: [{ name: 'X-A', value: 'b' }] },
              },
            },
            securityContext: {
              capabilities: { add: ['NET_ADMIN'] },
              privileged: false,
              seLinuxOptions: { level: 's0' },
              runAsUser: 1,
              runAsGroup: 2,
              runAsNonRoot: true,
              readOnlyRootFilesystem: true,
              procMount: 'Default',
              seccompProfile: { type: 'Localhost', localhostProfile: 'p' },
              appArmorProfile: { type: 'RuntimeDefault' },
            },
            terminationMessagePath: '/t',
            terminationMessagePolicy: 'File',
            stdin: true,
            tty: true,
          },
        ],
      },
    },
    {
      name: 'placement',
      spec: {
        automountServiceAccountToken: false,
        containers: [{ name: 'c', image: 'registry.example/app:1' }],
        restartPolicy: 'Never',
        activeDeadlineSeconds: 60,
        dnsPolicy: 'None',
        dnsConfig: { nameservers: ['10.0.0.1'], searches: ['a.example'], options: [{ name: 'ndots', value: '2' }] },
        hostAliases: [{ ip: '10.0.0.2', hostnames: ['a.example'] }],
        hostname: 'h',
        subdomain: 's',
        setHostnameAsFQDN: true,
        schedulerName: 'other',
        nodeSelector: { a: 'b' },
        os: { name: 'linux' },
        shareProcessNamespace: true,
        hostNetwork: false,
        imagePullSecrets: [{ name: 'p' }],
        readinessGates: [{ conditionType: 'example.com/ready' }],
        schedulingGates: [{ name: 'example.com/gate' }],
        securityContext: {
          fsGroup: 1,
          fsGroupChangePolicy: 'OnRootMismatch',
          supplementalGroups: [3],
          supplementalGroupsPolicy: 'Merge',
          sysctls: [{ name: 'net.core.somaxconn', value: '1' }],
          seccompProfile: { type: 'RuntimeDefault' },
          runAsUser: 5,
        },
        tolerations: [
          { key: 'k', operator: 'Equal', value: 'v', effect: 'NoSchedule' },
          { operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 4 },
        ],
        topologySpreadConstraints: [
          {
            maxSkew: 1,
            topologyKey: 'zone',
            whenUnsatisfiable: 'DoNotSchedule',
            labelSelector: { matchLabels: { a: 'b' } },
            minDomains: 2,
            nodeAffinityPolicy: 'Honor',
            nodeTaintsPolicy: 'Ignore',
            matchLabelKeys: ['pod-template-hash'],
          },
        ],
        affinity: {
          nodeAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: {
              nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'In', values: ['b'] }] }],
            },
            preferredDuringSchedulingIgnoredDuringExecution: [
              { weight: 1, preference: { matchFields: [{ key: 'metadata.name', operator: 'NotIn', values: ['n'] }] } },
            ],
          },
          podAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: [
              { labelSelector: { matchLabels: { a: 'b' } }, topologyKey: 'zone', namespaces: ['n'] },
            ],
          },
          podAntiAffinity: {
            preferredDuringSchedulingIgnoredDuringExecution: [
              {
                weight: 100,
                podAffinityTerm: {
                  labelSelector: { matchExpressions: [{ key: 'a', operator: 'Exists' }] },
                  topologyKey: 'host',
                  namespaceSelector: {},
                },
              },
            ],
          },
        },
      },
    },
  ]),
  ...core('Service', 'services', [
    {
      name: 'balancer',
      spec: {
        type: 'LoadBalancer',
        selector: { a: 'b' },
        ports: [
          { name: 'a', port: 80, targetPort: 'http', nodePort: 30_080, appProtocol: 'http' },
          { name: 'b', port: 81, protocol: 'UDP' },
        ],
        externalTrafficPolicy: 'Local',
        internalTrafficPolicy: 'Local',
        healthCheckNodePort: 30_200,
        loadBalancerSourceRanges: ['10.0.0.0/8'],
        loadBalancerClass: 'example.com/lb',
        loadBalancerIP: '10.0.0.9',
        allocateLoadBalancerNodePorts: true,
        sessionAffinity: 'ClientIP',
        sessionAffinityConfig: { clientIP: { timeoutSeconds: 60 } },
        externalIPs: ['10.0.0.3'],
        publishNotReadyAddresses: true,
      },
    },
    { name: 'name', spec: { type: 'ExternalName', externalName: 'a.example' } },
    {
      name: 'headless',
      spec: {
        clusterIP: 'None',
        clusterIPs: ['None'],
        ipFamilies: ['IPv4'],
        ipFamilyPolicy: 'SingleStack',
        selector: { a: 'b' },
        ports: [{ port: 80 }],
        trafficDistribution: 'PreferSameZone',
      },
    },
    { name: 'fixed', spec: { clusterIP: '10.96.0.99', type: 'NodePort', ports: [{ port: 80, nodePort: 30_082 }] } },
  ]),
  ...core('PersistentVolumeClaim', 'persistentvolumeclaims', [
    {
      name: 'detailed',
      spec: {
        accessModes: ['ReadWriteMany'],
        storageClassName: 'fast',
        volumeMode: 'Block',
        volumeName: 'volume',
        selector: { matchLabels: { a: 'b' }, matchExpressions: [{ key: 'c', operator: 'In', values: ['d'] }] },
        resources: { requests: { storage: '1Gi' }, limits: { storage: '2Gi' } },
        dataSource: { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: 's' },
        dataSourceRef: { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: 's' },
        volumeAttributesClassName: 'gold',
      },
    },
  ]),
  ...core(
    'PersistentVolume',
    'persistentvolumes',
    [
      {
        name: 'detailed-nfs',
        spec: {
          capacity: { storage: '1Gi' },
          accessModes: ['ReadWriteMany'],
          nfs: { server: 'nfs.example', path: '/share', readOnly: true },
          claimRef: { kind: 'PersistentVolumeClaim', namespace: 'compared', name: 'c' },
          mountOptions: ['hard'],
          storageClassName: 'fast',
          volumeMode: 'Filesystem',
          persistentVolumeReclaimPolicy: 'Delete',
        },
      },
      {
        name: 'detailed-csi',
        spec: {
          capacity: { storage: '1Gi' },
          accessModes: ['ReadWriteOnce'],
          csi: {
            driver: 'csi.example',
            volumeHandle: 'h',
            fsType: 'ext4',
            volumeAttributes: { a: 'b' },
            nodeStageSecretRef: { name: 's', namespace: 'n' },
            controllerPublishSecretRef: { name: 's', namespace: 'n' },
          },
        },
      },
      {
        name: 'detailed-local',
        spec: {
          capacity: { storage: '1Gi' },
          accessModes: ['ReadWriteOnce'],
          local: { path: '/disk', fsType: 'ext4' },
          nodeAffinity: {
            required: {
              nodeSelectorTerms: [
                { matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: ['n'] }] },
              ],
            },
          },
        },
      },
    ],
    false,
  ),
  ...core(
    'Node',
    'nodes',
    [
      {
        name: 'detailed',
        spec: {
          podCIDR: '10.9.0.0/24',
          podCIDRs: ['10.9.0.0/24', 'fd00::/64'],
          providerID: 'example://1',
          unschedulable: true,
          taints: [{ key: 'a', value: 'b', effect: 'NoSchedule', timeAdded: '2026-01-01T00:00:00Z' }],
        },
        status: {
          capacity: { cpu: '2', memory: '1Gi', pods: '110' },
          allocatable: { cpu: '1' },
          phase: 'Running',
          conditions: [{ type: 'Ready', status: 'True', reason: 'R', message: 'm' }],
          addresses: [{ type: 'InternalIP', address: '10.0.0.1' }],
          images: [{ names: ['a'], sizeBytes: 5 }],
        },
      },
    ],
    false,
  ),
  ...core('Endpoints', 'endpoints', [
    {
      name: 'detailed',
      subsets: [
        {
          addresses: [
            { ip: '10.1.1.1', hostname: 'h', nodeName: 'n', targetRef: { kind: 'Pod', name: 'p', namespace: 'n' } },
          ],
          notReadyAddresses: [{ ip: '10.1.1.2' }],
          ports: [
            { name: 'a', port: 80, protocol: 'TCP', appProtocol: 'http' },
            { name: 'b', port: 81, protocol: 'UDP' },
          ],
        },
      ],
    },
  ]),
  ...core('Secret', 'secrets', [
    { name: 'tls', type: 'kubernetes.io/tls', data: { 'tls.crt': 'Yg==', 'tls.key': 'Yg==' } },
    { name: 'docker', type: 'kubernetes.io/dockerconfigjson', stringData: { '.dockerconfigjson': '{"auths":{}}' } },
    { name: 'basic', type: 'kubernetes.io/basic-auth', stringData: { username: 'a', password: 'b' } },
    { name: 'ssh', type: 'kubernetes.io/ssh-auth', data: { 'ssh-privatekey': 'Yg==' }, immutable: true },
  ]),
  ...core('ConfigMap', 'configmaps', [
    { name: 'detailed', immutable: true, data: { a: 'b' }, binaryData: { c: 'Yg==' } },
  ]),
  ...core('ServiceAccount', 'serviceaccounts', [
    {
      name: 'detailed',
      secrets: [{ name: 's' }],
      imagePullSecrets: [{ name: 'p' }],
      automountServiceAccountToken: true,
    },
  ]),
  ...core('LimitRange', 'limitranges', [
    {
      name: 'detailed',
      spec: {
        limits: [
          {
            type: 'Container',
            max: { cpu: '4', memory: '1Gi' },
            min: { cpu: '1m' },
            default: { cpu: '2' },
            defaultRequest: { cpu: '1' },
            maxLimitRequestRatio: { cpu: '4' },
          },
          { type: 'Pod', max: { cpu: '100' } },
        ],
      },
    },
  ]),
  ...core('ResourceQuota', 'resourcequotas', [
    {
      name: 'detailed',
      spec: {
        hard: { pods: '1000', 'requests.cpu': '1000', 'limits.memory': '1Ti' },
        scopes: ['NotTerminating'],
      },
    },
    {
      name: 'selected',
      spec: {
        hard: { pods: '1000' },
        scopeSelector: {
          matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In', values: ['high'] }],
        },
      },
    },
  ]),
  ...core('Event', 'events', [
    {
      name: 'detailed',
      involvedObject: { kind: 'Pod', name: 'p', namespace: 'compared', uid: 'u', apiVersion: 'v1', fieldPath: 'f' },
      reason: 'R',
      message: 'm',
      type: 'Warning',
      eventTime: '2026-01-01T00:00:00.000001Z',
      action: 'Act',
      reportingComponent: 'example.com/c',
      reportingInstance: 'i',
      series: { count: 3, lastObservedTime: '2026-01-01T00:00:00.000001Z' },
      related: { kind: 'Node', name: 'n' },
    },
  ]),
  sample(
    'events.k8s.io/v1',
    'Event',
    'events',
    true,
    {
      metadata: { name: 'new' },
      regarding: { kind: 'Pod', name: 'p', namespace: 'compared' },
      reason: 'R',
      note: 'm',
      type: 'Normal',
      eventTime: '2026-01-01T00:00:00.000001Z',
      action: 'Act',
      reportingController: 'example.com/c',
      reportingInstance: 'i',
      series: { count: 3, lastObservedTime: '2026-01-01T00:00:00.000001Z' },
    },
    {},
  ),
  sample(
    'discovery.k8s.io/v1',
    'EndpointSlice',
    'endpointslices',
    true,
    {
      metadata: { name: 'detailed' },
      addressType: 'IPv6',
      endpoints: [
        {
          addresses: ['fd00::1'],
          conditions: { ready: true, serving: true, terminating: false },
          hostname: 'h',
          nodeName: 'n',
          zone: 'z',
          hints: { forZones: [{ name: 'z' }] },
          targetRef: { kind: 'Pod', name: 'p' },
          deprecatedTopology: { a: 'b' },
        },
      ],
      ports: [
        { name: 'a', port: 80, protocol: 'TCP', appProtocol: 'http' },
        { name: '', port: 81 },
      ],
    },
    {},
  ),
  sample(
    'discovery.k8s.io/v1',
    'EndpointSlice',
    'endpointslices',
    true,
    { metadata: { name: 'names' }, addressType: 'FQDN', endpoints: [{ addresses: ['a.example'] }], ports: [] },
    {},
  ),
  sample(
    'storage.k8s.io/v1',
    'StorageClass',
    'storageclasses',
    false,
    {
      metadata: { name: 'detailed' },
      provisioner: 'example.com/p',
      parameters: { a: 'b' },
      reclaimPolicy: 'Retain',
      mountOptions: ['hard'],
      volumeBindingMode: 'WaitForFirstConsumer',
      allowVolumeExpansion: true,
      allowedTopologies: [{ matchLabelExpressions: [{ key: 'zone', values: ['a', 'b'] }] }],
    },
    {},
  ),
  sample(
    'scheduling.k8s.io/v1',
    'PriorityClass',
    'priorityclasses',
    false,
    {
      metadata: { name: 'detailed' },
      value: 5,
      globalDefault: false,
      preemptionPolicy: 'Never',
      description: 'd',
    },
    {},
  ),
];

function core(
  kind: string,
  plural: string,
  objects: ({ name: string } & Record<string, unknown>)[],
  namespaced = true,
): Sample[] {
  return objects.map(({ name, ...fields }) =>
    sample('v1', kind, plural, namespaced, { metadata: { name }, ...fields }, {}),
  );
}
