import { features } from '#apps/server/features.ts'
import { maintenanceJobs } from '#apps/server/maintenance.ts'
import { announceJob } from '#apps/server/syndication/announce.ts'
import type { Config } from '#base/server/config.ts'
import type { Feature } from '#base/server/feature.ts'
import type { Job } from '#base/server/jobs/jobs.ts'

type JobOptions = { config: Pick<Config, 'dataDir' | 'store' | 'publicUrl'>; ownerUrl: string }

/** All jobs of the program, each with the feature that has its words: those of the features, and those that need the configuration. */
export function allJobs({ config, ownerUrl }: JobOptions): Job[] {
  const configured: Feature[] = [
    { name: 'topic', jobs: [announceJob(config.publicUrl)] },
    { name: 'maintenance', jobs: maintenanceJobs({ config, ownerUrl }) },
  ]
  return [...features, ...configured].flatMap(({ name, jobs = [] }) => jobs.map((job) => ({ ...job, feature: name })))
}
