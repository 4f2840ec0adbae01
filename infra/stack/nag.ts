import { Validations } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

/** Accepts that a construct breaks a rule of cdk-nag, such as `S1`. */
export function accept(construct: IConstruct, rule: string, reason: string): void {
  Validations.of(construct).acknowledge({ id: `AwsSolutions::AwsSolutions-${rule}`, reason });
}
