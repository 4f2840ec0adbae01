import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AwsIntegration, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Asset } from 'aws-cdk-lib/aws-s3-assets';
import type { Construct } from 'constructs';
import { literal } from './api.ts';
import type { SiteFile } from './site.ts';

/**
 * Pages on S3, behind the same API. Each file is an asset of the stack, whose key is a hash of its content, and a route of its own
 * that reads it. So pages and functions are deployed, and rolled back, in one step; there is one origin, one firewall, one
 * throttle and one log; and no bucket or upload function of ours. A page view costs five requests to API Gateway ($17.50 a
 * million) when nothing is cached. CloudFront in front of both would be cheaper from some ten million views a month on; it
 * would need a second firewall in us-east-1 and take minutes to deploy.
 */
export function serveSite(scope: Construct, api: RestApi, files: readonly SiteFile[]): void {
  const role = new Role(scope, 'SiteRole', { assumedBy: new ServicePrincipal('apigateway.amazonaws.com') });
  const folder = mkdtempSync(join(tmpdir(), 'site-'));
  for (const [index, { path, headers, body }] of files.entries()) {
    const source = join(folder, String(index));
    writeFileSync(source, body);
    // Names of hashed files change with their content; the identity of the asset should not.
    const asset = new Asset(scope, `Site-${stableName(path)}`, { path: source });
    role.addToPolicy(
      new PolicyStatement({ actions: ['s3:GetObject'], resources: [asset.bucket.arnForObjects(asset.s3ObjectKey)] }),
    );
    const sent = Object.entries(headers).map(([name, value]) => [`method.response.header.${name}`, literal(value)]);
    api.root.resourceForPath(path).addMethod(
      'GET',
      new AwsIntegration({
        service: 's3',
        integrationHttpMethod: 'GET',
        path: `${asset.s3BucketName}/${asset.s3ObjectKey}`,
        options: {
          credentialsRole: role,
          integrationResponses: [
            { statusCode: '200', responseParameters: Object.fromEntries(sent) },
            { statusCode: '503', selectionPattern: '[45]\\d\\d' },
          ],
        },
      }),
      {
        methodResponses: [
          { statusCode: '200', responseParameters: Object.fromEntries(sent.map(([name]) => [name, true])) },
          { statusCode: '503' },
        ],
      },
    );
  }
}

/** `assets/dashboard-X3BZ4Q2M.js` is always `assets-dashboard.js`. */
function stableName(path: string): string {
  return path.replace(/-[A-Z0-9]{8}\./, '.').replaceAll('/', '-');
}
