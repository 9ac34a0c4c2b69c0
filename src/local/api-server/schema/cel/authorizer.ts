import { Environment } from '@marcbachmann/cel-js';

/** Access that an expression asks about. */
export interface AccessQuestion {
  readonly path?: string;
  readonly group?: string;
  readonly resource?: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly verb: string;
  /** Asks for a ServiceAccount (`namespace/name`) instead of the user of the request. */
  readonly serviceAccount?: string;
}

export interface AccessAnswer {
  readonly allowed: boolean;
  readonly reason?: string;
}

class Check {
  public constructor(
    protected readonly ask: (question: AccessQuestion) => AccessAnswer,
    protected readonly question: Omit<AccessQuestion, 'verb'>,
  ) {}

  public check(verb: string): AccessDecision {
    return new AccessDecision(this.ask({ ...this.question, verb }));
  }
}

class PathCheck extends Check {}

class GroupCheck extends Check {
  public resource(resource: string): ResourceCheck {
    return new ResourceCheck(this.ask, { ...this.question, resource });
  }
}

class ResourceCheck extends Check {
  public with(more: Partial<AccessQuestion>): ResourceCheck {
    return new ResourceCheck(this.ask, { ...this.question, ...more });
  }
}

class AccessDecision {
  public constructor(public readonly answer: AccessAnswer) {}
}

/** Variable `authorizer`: asks whether the user of a request may do something. */
export class CelAuthorizer {
  /** Resource of the request, which expressions read as a field. */
  public readonly requestResource: ResourceCheck | undefined;

  public constructor(
    private readonly ask: (question: AccessQuestion) => AccessAnswer,
    private readonly question: Omit<AccessQuestion, 'verb'> = {},
    request?: Omit<AccessQuestion, 'verb'>,
  ) {
    this.requestResource = request && new ResourceCheck(ask, request);
  }

  public with(more: Partial<AccessQuestion>): Omit<AccessQuestion, 'verb'> {
    return { ...this.question, ...more };
  }

  public serviceAccount(namespace: string, name: string): CelAuthorizer {
    return new CelAuthorizer(this.ask, { serviceAccount: `${namespace}/${name}` });
  }

  public path(path: string): PathCheck {
    return new PathCheck(this.ask, this.with({ path }));
  }

  public group(group: string): GroupCheck {
    return new GroupCheck(this.ask, this.with({ group }));
  }
}

/** Adds the functions of `authorizer`. */
export function registerAuthorizer(env: Environment): void {
  const add = (signature: string, handler: (...args: never[]) => unknown) =>
    env.registerFunction(signature, handler as (...args: unknown[]) => unknown);
  env.registerType('Authorizer', CelAuthorizer);
  env.registerType('PathCheck', PathCheck);
  env.registerType('GroupCheck', GroupCheck);
  env.registerType('ResourceCheck', ResourceCheck);
  env.registerType('AccessDecision', AccessDecision);
  add('Authorizer.path(string): PathCheck', (a: CelAuthorizer, path: string) => a.path(path));
  add('Authorizer.group(string): GroupCheck', (a: CelAuthorizer, group: string) => a.group(group));
  add('Authorizer.serviceAccount(string, string): Authorizer', (a: CelAuthorizer, namespace: string, name: string) =>
    a.serviceAccount(namespace, name),
  );
  add('GroupCheck.resource(string): ResourceCheck', (g: GroupCheck, resource: string) => g.resource(resource));
  for (const field of ['subresource', 'namespace', 'name'] as const)
    add(`ResourceCheck.${field}(string): ResourceCheck`, (r: ResourceCheck, value: string) =>
      r.with({ [field]: value }),
    );
  add('PathCheck.check(string): AccessDecision', (c: PathCheck, verb: string) => c.check(verb));
  add('ResourceCheck.check(string): AccessDecision', (c: ResourceCheck, verb: string) => c.check(verb));
  add('AccessDecision.allowed(): bool', (d: AccessDecision) => d.answer.allowed);
  add('AccessDecision.reason(): string', (d: AccessDecision) => d.answer.reason ?? '');
  add('AccessDecision.errored(): bool', () => false);
  add('AccessDecision.error(): string', () => '');
}
