import { Validations } from 'aws-cdk-lib';
import type { IAlarm } from 'aws-cdk-lib/aws-cloudwatch';
import {
  LambdaApplication,
  LambdaDeploymentConfig,
  LambdaDeploymentGroup,
  type LambdaDeploymentGroupProps,
} from 'aws-cdk-lib/aws-codedeploy';
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Alias, type CfnAlias, type IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type { ServiceFunction } from './service-function.ts';

/**
 * Releases functions gradually: for five minutes, a tenth of the requests get the new version of each function. If the
 * alarm is raised, CodeDeploy returns to the old version and CloudFormation rolls back the rest. All functions shift at
 * the same time, so a deployment takes six to seven minutes longer however many there are.
 *
 * Clients reach each function through its alias, even where nothing is released gradually. If aliases came and went with
 * that option, the permission to invoke would move from alias to function while the API still called the alias.
 */
export class Releases {
  readonly #scope: Construct;
  readonly #gradual: Omit<LambdaDeploymentGroupProps, 'alias'> | undefined;
  readonly #aliases: CfnAlias[] = [];

  /** Without an alarm, a release goes to all requests at once. */
  constructor(scope: Construct, alarm: IAlarm | undefined) {
    this.#scope = scope;
    this.#gradual = alarm && gradually(scope, alarm);
  }

  /** The function's alias `live`, to invoke instead of the function itself. */
  live(fn: ServiceFunction): IFunction {
    const alias = new Alias(this.#scope, `${fn.node.id}Live`, { aliasName: 'live', version: fn.currentVersion });
    this.#aliases.push(alias.node.defaultChild as CfnAlias);
    if (this.#gradual) new LambdaDeploymentGroup(this.#scope, `${fn.node.id}Release`, { ...this.#gradual, alias });
    return alias;
  }

  /** Delays changes of `pages` until all requests get the new functions, because a roll-back comes before that. */
  holdBack(pages: Construct): void {
    pages.node.addDependency(...this.#aliases);
  }
}

function gradually(scope: Construct, alarm: IAlarm): Omit<LambdaDeploymentGroupProps, 'alias'> {
  const role = new Role(scope, 'ReleasesRole', {
    assumedBy: new ServicePrincipal('codedeploy.amazonaws.com'),
    // Allows shifting aliases, reading alarms, and invoking hooks, of which there are none.
    managedPolicies: [ManagedPolicy.fromAwsManagedPolicyName('service-role/AWSCodeDeployRoleForLambdaLimited')],
  });
  Validations.of(role).acknowledge({
    id: 'AwsSolutions::AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSCodeDeployRoleForLambdaLimited]',
    reason: 'The AWS managed policy for this very purpose: shifting aliases and reading the alarms that stop a shift.',
  });
  return {
    application: new LambdaApplication(scope, 'Releases'),
    role,
    deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
    alarms: [alarm],
  };
}
