/** Services and Ingresses, and whether a guest answers on their ports. */
import { mistake, nearest } from '../admission/rule';
import { type Finding, type Path, root } from '../findings';
import type { KubeObject } from '../meta';
import { type Guests, guestsIn, guestsOf, HOST_LABEL, INSTANCE_LABEL, selectedGuests } from './network-guests';
import { misspelt } from './names';
import { isSame, type Json, keyOf, listAt, objectAt, read, textAt, textsAt, shown } from './read';
import type { World } from './world';

const ports = root.at('spec', 'ports');

/**
 * Reports a Service that cannot reach its guest. It uses the guest's interface on the Pod network, and behind NAT or passt only the ports
 * that the interface forwards. Kubernetes accepts such a Service; its clients would wait in vain.
 */
function serviceReachesGuests(object: KubeObject, world: World): Finding[] {
  if (keyOf(object) !== 'Service') return [];
  const selector = textsAt(object, 'spec', 'selector');
  const namespace = textAt(object, 'metadata', 'namespace');
  const guests = selectedGuests(world, namespace, selector);
  if (guests.length === 0) return selectsSomebody(selector, namespace, world);
  if (textAt(object, 'spec', 'type') === 'ExternalName') return hasNoGuests(guests[0].object);
  return guests.flatMap((each) => reaches(listAt(object, 'spec', 'ports'), each));
}

function hasNoGuests({ kind, metadata }: KubeObject): Finding[] {
  const cause = `a Service of type ExternalName is another name for a host outside of the cluster: it does not lead to ${kind} "${metadata.name}"`;
  const remedy = 'choose the type ClusterIP, NodePort or LoadBalancer (VmServiceType)';
  return mistake('service-type', root.at('spec', 'type'), cause, remedy, { value: 'ExternalName' });
}

function reaches(wanted: readonly Json[], guests: Guests): Finding[] {
  const { kind, metadata } = guests.object;
  const who = `${kind} "${metadata.name}"`;
  const interfaces = listAt(guests.spec, 'domain', 'devices', 'interfaces');
  const networks = listAt(guests.spec, 'networks');
  const shared = networks.find((each) => each.pod || read(each, 'multus', 'default') === true);
  const iface = interfaces.find(({ name }) => shared && name === shared.name);
  if (!iface) {
    const isAttached = read(guests.spec, 'domain', 'devices', 'autoattachPodInterface') !== false;
    if (isAttached && interfaces.length === 0 && networks.length === 0) return [];
    return mistake(
      'service-network',
      root.at('spec', 'selector'),
      `${who} is not on the Pod network, so no Service reaches it`,
      'add VmNetwork.masquerade() to the networks of the guest',
    );
  }
  return guests.hasSidecars ? [] : wanted.flatMap((port, i) => portIsOpen(port, i, iface, who));
}

function portIsOpen(port: Json, i: number, iface: Json, who: string): Finding[] {
  const at = ports.at(i, 'targetPort');
  const protocol = textAt(port, 'protocol') ?? 'TCP';
  const got = port.targetPort ?? port.port;
  const open = listAt(iface, 'ports').map((each) => ({
    ...each,
    protocol: textAt(each, 'protocol') ?? 'TCP',
  })) as Json[];
  const remedy = `add it to the ports of its network "${textAt(iface, 'name')}", or expose one that is there`;
  if (typeof got === 'string') {
    const allowed = open.flatMap((each) => (each.protocol === protocol ? (textAt(each, 'name') ?? []) : []));
    if (allowed.includes(got)) return [];
    return mistake('service-port-open', at, `${who} has no ${protocol} port "${got}"`, nearest(got, allowed), {
      value: got,
      allowed,
    });
  }
  const ranges = listAt(iface, 'portRanges');
  const isLimited = iface.masquerade || iface.passtBinding || iface.slirp;
  if (typeof got !== 'number' || !isLimited || open.length + ranges.length === 0) return [];
  const isOpen =
    open.some((each) => each.port === got && each.protocol === protocol) ||
    ranges.some((each) => each.protocol === protocol && Number(each.start) <= got && got <= Number(each.end));
  if (isOpen) return [];
  const allowed = [
    ...open.map((each) => `${shown(each.protocol)} ${shown(each.port)}`),
    ...ranges.map((each) => `${shown(each.protocol)} ${shown(each.start)}-${shown(each.end)}`),
  ];
  return mistake('service-port-open', at, `${who} does not open ${protocol} ${got}`, remedy, { value: got, allowed });
}

/** Reports a Service that selects one guest by a name that no guest has. */
function selectsSomebody(
  selector: Readonly<Record<string, string>>,
  namespace: string | undefined,
  world: World,
): Finding[] {
  for (const label of [HOST_LABEL, INSTANCE_LABEL]) {
    const got = selector[label];
    if (got === undefined) continue;
    const elsewhere = guestsOf(world).find(
      (each) => each.podLabels[label] === got && each.podLabels[INSTANCE_LABEL] && each.namespace !== undefined,
    );
    if (elsewhere && namespace !== undefined) {
      const { kind, metadata } = elsewhere.object;
      const message = `${kind} "${metadata.name}" is in the namespace "${elsewhere.namespace}", and this is in "${namespace}"`;
      const remedy = 'put the Service into the same namespace';
      return mistake('service-namespace', root.at('spec', 'selector', label), message, remedy, { value: got });
    }
    const near = guestsOf(world).filter((each) => each.namespace === namespace && each.podLabels[INSTANCE_LABEL]);
    const at = root.at('spec', 'selector', label);
    const renamed = near.find(({ podLabels }) => label === HOST_LABEL && podLabels[INSTANCE_LABEL] === got);
    if (renamed) {
      const { kind } = renamed.object;
      const host = renamed.podLabels[HOST_LABEL];
      const message = `the host name of ${kind} "${got}" is "${host}", and so is this label of its Pod`;
      return mistake('service-selects', at, message, `select ${INSTANCE_LABEL}: ${got}`, {
        value: got,
        allowed: [host],
      });
    }
    const meant = misspelt(
      got,
      near.map(({ podLabels }) => podLabels[label]),
    );
    if (meant === undefined) continue;
    const message = `no guest has the name "${got}"`;
    return mistake('service-selects', at, message, `did you mean "${meant}"?`, { value: got, allowed: [meant] });
  }
  return [];
}

/** Reports a backend of an Ingress whose Service lacks the port. */
function ingressHasServices(object: KubeObject, world: World): Finding[] {
  if (keyOf(object) !== 'Ingress.networking.k8s.io') return [];
  const namespace = textAt(object, 'metadata', 'namespace');
  return backendsOf(object).flatMap(({ service, at }) => {
    const name = textAt(service, 'name');
    if (name === undefined) return [];
    const found = world.named('Service', namespace, name)[0];
    if (found) return portIsServed(service, found.object(), at);
    const others = world.all('Service').filter((each) => each.namespace === namespace);
    const meant = misspelt(
      name,
      others.map((each) => each.name),
    );
    if (meant === undefined) return [];
    const message = `no Service is called "${name}"`;
    return mistake('ingress-service', at.at('name'), message, `did you mean "${meant}"?`, {
      value: name,
      allowed: [meant],
    });
  });
}

function backendsOf(object: KubeObject): { service: Json; at: Path }[] {
  const spec = root.at('spec');
  const all = [
    { backend: read(object, 'spec', 'defaultBackend'), at: spec.at('defaultBackend') },
    ...listAt(object, 'spec', 'rules').flatMap((rule, i) =>
      listAt(rule, 'http', 'paths').map(({ backend }, j) => ({
        backend,
        at: spec.at('rules', i, 'http', 'paths', j, 'backend'),
      })),
    ),
  ];
  return all.flatMap(({ backend, at }) => {
    const service = objectAt(backend, 'service');
    return service ? [{ service, at: at.at('service') }] : [];
  });
}

function portIsServed(backend: Json, service: KubeObject, at: Path): Finding[] {
  const served = listAt(service, 'spec', 'ports');
  const number = read(backend, 'port', 'number');
  const name = textAt(backend, 'port', 'name');
  const path = at.at('port', name === undefined ? 'number' : 'name');
  const got = name ?? number;
  if (got === undefined || textAt(service, 'spec', 'type') === 'ExternalName') return [];
  const found = served.filter((port) => (name === undefined ? port.port === number : port.name === name));
  const isTcp = ({ protocol = 'TCP' }: Json): boolean => protocol === 'TCP';
  if (found.some(isTcp)) return [];
  const allowed = served.filter(isTcp).map((port) => shown(name === undefined ? port.port : port.name));
  if (found.length > 0) {
    const cause = `port ${shown(got)} of Service "${service.metadata.name}" is a ${shown(found[0].protocol)} port, and an Ingress forwards HTTP over TCP`;
    return mistake('ingress-service-port', path, cause, 'use a TCP port, such as VmPort.HTTP', { value: got, allowed });
  }
  const message = `Service "${service.metadata.name}" has no port ${shown(got)}`;
  const remedy = name === undefined ? 'use a port of the Service, or add this port to it' : nearest(name, allowed);
  return mistake('ingress-service-port', path, message, remedy, { value: got, allowed });
}

/** The first object of a kind with each of its keys. Collected once for a world: an app may have thousands. */
function firstByKey(kind: string, keysIn: (object: KubeObject) => readonly string[]) {
  const known = new WeakMap<World, ReadonlyMap<string, KubeObject>>();
  return (world: World): ReadonlyMap<string, KubeObject> => {
    let found = known.get(world);
    if (!found) {
      const map = new Map<string, KubeObject>();
      for (const object of world.all(kind).map((each) => each.object())) {
        for (const key of keysIn(object)) if (!map.has(key)) map.set(key, object);
      }
      known.set(world, (found = map));
    }
    return found;
  };
}

const portKey = (nodePort: number, protocol: unknown): string =>
  `${typeof protocol === 'string' ? protocol : 'TCP'} ${nodePort}`;
const firstOfNodePort = firstByKey('Service', (service) =>
  listAt(service, 'spec', 'ports').flatMap(({ nodePort, protocol }) =>
    typeof nodePort === 'number' ? [portKey(nodePort, protocol)] : [],
  ),
);

/** Reports at the later one: node ports are of the whole cluster. */
function nodePortsDiffer(object: KubeObject, world: World): Finding[] {
  if (keyOf(object) !== 'Service') return [];
  return listAt(object, 'spec', 'ports').flatMap(({ nodePort: got, protocol }, i) => {
    if (typeof got !== 'number' || got === 0) return [];
    const key = portKey(got, protocol);
    const first = firstOfNodePort(world).get(key);
    const isOwn = first === undefined || isSame(first, object);
    const before = isOwn ? listAt(object, 'spec', 'ports').slice(0, i) : [];
    if (isOwn && !before.some((each) => portKey(Number(each.nodePort), each.protocol) === key)) return [];
    const cause = isOwn
      ? `the Service has the node port ${got} already`
      : `Service "${first.metadata.name}" has the node port ${got} already`;
    const extra = { value: got, type: 'FieldValueDuplicate' } as const;
    return mistake('node-port-unique', ports.at(i, 'nodePort'), cause, 'choose another, or leave it out', extra);
  });
}

/** Host and path of each rule, with its class: a controller takes one of those that are equal. */
const routesOf = (object: KubeObject): { route: string; at: Path }[] =>
  listAt(object, 'spec', 'rules').flatMap((rule, i) =>
    listAt(rule, 'http', 'paths').map(({ path, pathType }, j) => ({
      route: [textAt(object, 'spec', 'ingressClassName'), rule.host, pathType, path].map(shown).join(' '),
      at: root.at('spec', 'rules', i, 'http', 'paths', j, 'path'),
    })),
  );

const firstOfRoute = firstByKey('Ingress', (ingress) => routesOf(ingress).map(({ route }) => route));

/** Reports at the later one. */
function routesDiffer(object: KubeObject, world: World): Finding[] {
  if (keyOf(object) !== 'Ingress.networking.k8s.io') return [];
  return routesOf(object).flatMap(({ route, at }) => {
    const first = firstOfRoute(world).get(route);
    if (!first || isSame(first, object)) return [];
    const cause = `Ingress "${first.metadata.name}" has the same host and path`;
    return mistake('ingress-route-unique', at, cause, 'give each its own host or path', {
      type: 'FieldValueDuplicate',
    });
  });
}

/** The DNS name of a guest in a subdomain comes from a headless Service; a Service with an address has one name only. */
function subdomainIsHeadless(object: KubeObject, world: World): Finding[] {
  const guests = guestsIn(object);
  const name = guests && textAt(guests.spec, 'subdomain');
  const service = name === undefined ? undefined : world.find('Service', guests!.namespace, name);
  if (!service || read(service, 'spec', 'clusterIP') === 'None') return [];
  const cause = `Service "${name}" has an address of its own, so the guest gets no DNS name in this subdomain`;
  const remedy = 'make the Service headless (clusterIP: None)';
  return mistake('subdomain-service', guests!.at.at('subdomain'), cause, remedy, { value: name });
}

/** Rules between Services, Ingresses and guests. */
export const serviceRules = (object: KubeObject, world: World): Finding[] => [
  ...serviceReachesGuests(object, world),
  ...ingressHasServices(object, world),
  ...nodePortsDiffer(object, world),
  ...routesDiffer(object, world),
  ...subdomainIsHeadless(object, world),
];
