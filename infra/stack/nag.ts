import { Validations } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

/** Accepts that a construct breaks a rule of cdk-nag, such as `S1`. */
export function accept(construct: IConstruct, rule: string, reason: string): void {
  Validations.of(construct).acknowledge({ id: `AwsSolutions::AwsSolutions-${rule}`, reason });
}

/** A resolved string as cdk-nag writes it: with references in angle brackets. */
export function nagNameOf(joined: {
  'Fn::Join': [string, (string | { Ref: string } | { 'Fn::Sub': string })[]];
}): string {
  return joined['Fn::Join'][1]
    .map((part) => {
      if (typeof part === 'string') return part;
      return 'Ref' in part ? `<${part.Ref}>` : part['Fn::Sub'].replace(/\$\{(.+?)\}/g, '<$1>');
    })
    .join('');
}
