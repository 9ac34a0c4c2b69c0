/** Services of a single VM. Pure. */
import { keys } from '../../../api/keys';
import { call, type Expression, object, value } from '../expression';
import type { Mapping } from './kind';
import { USUAL_PORTS } from './network';
import { choice, choices, each, type Fields, fieldsOf, flag, number, onlyKey, seconds, text, texts } from './values';

const LABEL = keys.vmName;

/** Maps a Service to the construct only if its ports have exactly the fields that the construct renders. */
export const service: Mapping = ({ spec }, around) => {
  const fields = fieldsOf(spec);
  const vm = fieldsOf(fields.selector)[LABEL];
  const ports = each(fields.ports, port);
  if (onlyKey(fields.selector) !== LABEL || typeof vm !== 'string' || !ports || fields.type === undefined) {
    return undefined;
  }
  const { clusterIP, type, sessionAffinityConfig } = fields;
  return {
    construct: 'VmService',
    props: {
      target: around.reference('VirtualMachine', vm),
      ports,
      serviceType: type === 'ClusterIP' ? undefined : choice(around, 'VmServiceType', type),
      headless: clusterIP === 'None' ? value(true) : undefined,
      clusterIp: clusterIP === 'None' ? undefined : text(clusterIP),
      publishNotReady: flag(fields.publishNotReadyAddresses),
      externalTrafficPolicy: choice(around, 'TrafficPolicy', fields.externalTrafficPolicy),
      internalTrafficPolicy: choice(around, 'TrafficPolicy', fields.internalTrafficPolicy),
      sessionAffinity: choice(around, 'SessionAffinity', fields.sessionAffinity),
      sessionTimeout: seconds(fieldsOf(fieldsOf(sessionAffinityConfig).clientIP).timeoutSeconds),
      loadBalancerClass: text(fields.loadBalancerClass),
      loadBalancerSourceRanges: texts(fields.loadBalancerSourceRanges),
      allocateLoadBalancerNodePorts: flag(fields.allocateLoadBalancerNodePorts),
      externalIps: texts(fields.externalIPs),
      ipFamilies: choices(around, 'IpFamily', fields.ipFamilies),
      ipFamilyPolicy: choice(around, 'IpFamilyPolicy', fields.ipFamilyPolicy),
    },
  };
};

function port(given: Fields): Expression | undefined {
  const { name, port: at, targetPort, protocol, nodePort, appProtocol } = given;
  if (typeof name !== 'string' || typeof at !== 'number' || typeof targetPort !== 'number') return undefined;
  if (protocol !== 'TCP' && protocol !== 'UDP') return undefined;
  const options = {
    targetPort: targetPort === at ? undefined : value(targetPort),
    nodePort: number(nodePort),
    appProtocol: text(appProtocol),
  };
  const usual = USUAL_PORTS[`${protocol} ${at} ${name}`];
  if (usual && Object.values(options).every((option) => option === undefined)) {
    return { type: 'exported', library: 'virt8s', path: ['VmPort', usual] };
  }
  const named = name === `${protocol.toLowerCase()}-${at}` ? undefined : value(name);
  return call(`VmPort.${protocol.toLowerCase()}`, value(at), object({ name: named, ...options }));
}
