import {
  AppConfigClient,
  DeleteHostedConfigurationVersionCommand,
  type HostedConfigurationVersionSummary,
  paginateListHostedConfigurationVersions,
} from '@aws-sdk/client-appconfig';
import { customResource } from './answer.ts';

/**
 * Deletes all versions of the flags, including those that operators have added, when the stack is deleted: AppConfig
 * does not delete a profile that has any.
 */

export interface FlagVersionsProperties {
  ApplicationId: string;
  ConfigurationProfileId: string;
}

const client = new AppConfigClient();

export const handler = customResource(async ({ RequestType, ResourceProperties }) => {
  if (RequestType !== 'Delete') return;
  const { ApplicationId, ConfigurationProfileId } = ResourceProperties as unknown as FlagVersionsProperties;
  const profile = { ApplicationId, ConfigurationProfileId };
  // All are listed before the first is deleted: deleting between pages could make the next one skip versions.
  const versions: HostedConfigurationVersionSummary[] = [];
  for await (const { Items = [] } of paginateListHostedConfigurationVersions({ client }, profile)) {
    versions.push(...Items);
  }
  for (const { VersionNumber } of versions) {
    await client.send(new DeleteHostedConfigurationVersionCommand({ ...profile, VersionNumber }));
  }
});
