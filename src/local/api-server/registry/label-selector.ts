import { errors } from '../errors';
import { isLabelValue, isQualifiedName } from '../validation/names';

type Operator = '=' | '==' | '!=' | 'in' | 'notin' | 'exists' | '!' | 'gt' | 'lt';

interface Requirement {
  readonly key: string;
  readonly operator: Operator;
  readonly values: readonly string[];
}

/** Decides which labels match. */
export type LabelMatcher = (labels: Record<string, string> | undefined) => boolean;

export const everything: LabelMatcher = () => true;

function matches({ key, operator, values }: Requirement, labels: Record<string, string>): boolean {
  const has = Object.hasOwn(labels, key);
  switch (operator) {
    case '=':
    case '==':
    case 'in':
      return has && values.includes(labels[key]);
    case '!=':
    case 'notin':
      return !has || !values.includes(labels[key]);
    case 'exists':
      return has;
    case '!':
      return !has;
    case 'gt':
    case 'lt': {
      if (!has || !/^[-+]?\d+$/.test(labels[key])) return false;
      const [left, right] = [BigInt(labels[key]), BigInt(values[0])];
      return operator === 'gt' ? left > right : left < right;
    }
  }
}

class Parser {
  private readonly tokens: string[];
  private at = 0;

  public constructor(text: string) {
    this.tokens = text.match(/!=|==|[=!(),<>]|[^\s=!(),<>]+/g) ?? [];
  }

  public parse(): Requirement[] {
    const found: Requirement[] = [];
    while (this.at < this.tokens.length) {
      found.push(this.requirement());
      if (this.at >= this.tokens.length) break;
      const separator = this.next();
      if (separator !== ',') throw errors.badRequest(`found '${separator}', expected: ',' or 'end of string'`);
      if (this.at >= this.tokens.length) throw errors.badRequest(`found '', expected: identifier after ','`);
    }
    return found;
  }

  private requirement(): Requirement {
    let token = this.next();
    if (token === '!') {
      token = this.next();
      return { key: this.key(token), operator: '!', values: [] };
    }
    if (token === undefined || /^[=!(),<>]/.test(token)) {
      throw this.error(`found '${token ?? ''}', expected: !, identifier, or 'end of string'`);
    }
    const key = this.key(token);
    const operator = this.tokens[this.at];
    if (operator === undefined || operator === ',') return { key, operator: 'exists', values: [] };
    this.at++;
    switch (operator) {
      case '=':
      case '==':
      case '!=':
        return { key, operator, values: [this.value(key)] };
      case '>':
      case '<': {
        const value = this.value(key);
        if (!/^[-+]?\d+$/.test(value)) {
          throw errors.badRequest(
            `unable to parse requirement: values[0]: Invalid value: ${JSON.stringify(value)}: for 'Gt', 'Lt' operators, the value must be an integer`,
          );
        }
        return { key, operator: operator === '>' ? 'gt' : 'lt', values: [value] };
      }
      case 'in':
      case 'notin':
        return { key, operator, values: this.set(key) };
      default:
        throw this.error(`found '${operator}', expected: in, notin, =, ==, !=, gt, lt`);
    }
  }

  private set(key: string): string[] {
    const open = this.next();
    if (open !== '(') throw this.error(`found '${open ?? ''}' expected: '('`);
    const values: string[] = [];
    for (;;) {
      const token = this.next();
      if (token === ')') {
        // `in ()` and `in (a,)` hold the empty value.
        if (!values.length || this.tokens[this.at - 2] === ',') values.push('');
        return values;
      }
      if (token === ',') {
        if (this.tokens[this.at - 2] === ',' || this.tokens[this.at - 2] === '(') values.push('');
        continue;
      }
      if (token === undefined) {
        throw this.error(`found '', expected: ${values.length ? `',' or ')'` : `',', ')' or identifier`}`);
      }
      values.push(this.checkValue(key, token));
    }
  }

  /** A value may be absent: `key=` is the empty value. */
  private value(key: string): string {
    const token = this.tokens[this.at];
    if (token === undefined || token === ',') return '';
    this.at++;
    if (/^[=!()<>]/.test(token)) throw this.error(`found '${token}', expected: identifier`);
    return this.checkValue(key, token);
  }

  private checkValue(key: string, value: string): string {
    const [wrong] = isLabelValue(value);
    if (wrong) {
      throw errors.badRequest(
        `unable to parse requirement: values[0][${key}]: Invalid value: ${JSON.stringify(value)}: ${wrong}`,
      );
    }
    return value;
  }

  private key(token: string | undefined): string {
    if (token === undefined || /^[=!(),<>]/.test(token)) {
      throw this.error(`found '${token ?? ''}', expected: identifier`);
    }
    const wrong = isQualifiedName(token);
    if (wrong.length) {
      throw errors.badRequest(
        `unable to parse requirement: <nil>: Invalid value: ${JSON.stringify(token)}: ${wrong.join('; ')}`,
      );
    }
    return token;
  }

  private next(): string | undefined {
    return this.tokens[this.at++];
  }

  private error(why: string) {
    return errors.badRequest(`unable to parse requirement: ${why}`);
  }
}

/**
 * Parses the whole grammar of `labelSelector`: equality, sets, existence, `<` and `>`.
 * @throws StatusError 400
 */
export function parseLabelSelector(text: string | null | undefined): LabelMatcher {
  if (!text) return everything;
  const requirements = new Parser(text).parse();
  return (labels = {}) => requirements.every((requirement) => matches(requirement, labels));
}

interface LabelSelector {
  matchLabels?: Record<string, string>;
  matchExpressions?: { key: string; operator: string; values?: string[] }[];
}

/** The selector object of a spec. As Kubernetes: absent selects nothing, empty selects everything. */
export function matchLabelSelector(selector: LabelSelector | undefined | null): LabelMatcher {
  if (!selector) return () => false;
  const operators: Record<string, Operator> = { In: 'in', NotIn: 'notin', Exists: 'exists', DoesNotExist: '!' };
  const requirements: Requirement[] = [
    ...Object.entries(selector.matchLabels ?? {}).map(([key, value]) => ({
      key,
      operator: '=' as const,
      values: [value],
    })),
    ...(selector.matchExpressions ?? []).map(({ key, operator, values = [] }) => ({
      key,
      operator: operators[operator] ?? 'exists',
      values,
    })),
  ];
  return (labels = {}) => requirements.every((requirement) => matches(requirement, labels));
}
