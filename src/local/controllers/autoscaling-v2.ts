import type { Condition, KubeObject } from '../../api/meta';

export interface MetricTarget {
  type: string;
  value?: string;
  averageValue?: string;
  averageUtilization?: number;
}
export interface MetricSpec {
  type: string;
  resource?: { name: string; target: MetricTarget };
  containerResource?: { name: string; container: string; target: MetricTarget };
  pods?: { metric: { name: string; selector?: object }; target: MetricTarget };
  object?: { metric: { name: string }; describedObject: { kind: string; name: string }; target: MetricTarget };
  external?: { metric: { name: string }; target: MetricTarget };
}
export interface MetricValue {
  averageUtilization?: number;
  averageValue?: string;
}
export interface MetricStatus {
  type: string;
  resource?: { name: string; current: MetricValue };
  containerResource?: { name: string; container: string; current: MetricValue };
}
export interface ScalingPolicy {
  type: 'Pods' | 'Percent';
  value: number;
  periodSeconds: number;
}
export interface ScalingRules {
  stabilizationWindowSeconds?: number;
  selectPolicy?: 'Max' | 'Min' | 'Disabled';
  policies?: ScalingPolicy[];
  tolerance?: string;
}
export interface AutoscalerStatus {
  observedGeneration?: number;
  lastScaleTime?: string;
  currentReplicas?: number;
  desiredReplicas: number;
  currentMetrics: MetricStatus[] | null;
  conditions?: Condition[];
}
export interface Autoscaler extends KubeObject {
  spec: {
    scaleTargetRef: { apiVersion?: string; kind: string; name: string };
    minReplicas?: number;
    maxReplicas: number;
    metrics?: MetricSpec[];
    behavior?: { scaleUp?: ScalingRules; scaleDown?: ScalingRules };
  };
  status?: AutoscalerStatus;
}
