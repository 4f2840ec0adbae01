import {
  AppConfigClient,
  DeleteHostedConfigurationVersionCommand,
  type HostedConfigurationVersionSummary,
  paginateListHostedConfigurationVersions,
} from '@aws-sdk/client-appconfig';
import { customResource } from './answer.ts';

/** Deletes every version of the flags when the stack goes: AppConfig keeps a profile that has any, and operators have added some. */

export interface FlagVersionsProperties {
  ApplicationId: string;
  ConfigurationProfileId: string;
}

const client = new AppConfigClient();

export const handler = customResource(async ({ RequestType, ResourceProperties }) => {
  if (RequestType !== 'Delete') return;
  const { ApplicationId, ConfigurationProfileId } = ResourceProperties as unknown as FlagVersionsProperties;
  const profile = { ApplicationId, ConfigurationProfileId };
  // All are listed before the first is deleted: nobody promises that the next page begins where this one ended.
  const versions: HostedConfigurationVersionSummary[] = [];
  for await (const { Items = [] } of paginateListHostedConfigurationVersions({ client }, profile)) {
    versions.push(...Items);
  }
  for (const { VersionNumber } of versions) {
    await client.send(new DeleteHostedConfigurationVersionCommand({ ...profile, VersionNumber }));
  }
});
