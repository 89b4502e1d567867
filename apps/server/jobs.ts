import { bookChecks } from '#apps/server/book-checks.ts'
import { manyThings } from '#apps/server/many-things.ts'
import * as accountJobs from '#account/server/jobs.ts'
import * as assistantJobs from '#assistant/server/jobs.ts'
import * as batchJobs from '#batch/server/jobs.ts'
import * as bountyJobs from '#bounty/server/jobs.ts'
import * as redEnvelopeJobs from '#red-envelope/server/jobs.ts'
import * as collusionJobs from '#collusion/server/jobs.ts'
import * as deliveryJobs from '#delivery/server/jobs.ts'
import * as draftJobs from '#draft/server/jobs.ts'
import * as hiddenPartJobs from '#hidden-part/server/jobs.ts'
import * as identityJobs from '#identity/server/jobs.ts'
import * as fileJobs from '#file/server/jobs.ts'
import * as leavingJobs from '#leaving/server/jobs.ts'
import * as linkPreviewJobs from '#link-preview/server/jobs.ts'
import * as membershipJobs from '#membership/server/give.ts'
import { composeReminders } from '#notice/server/compose.ts'
import * as noticeJobs from '#notice/server/jobs.ts'
import * as renameJobs from '#rename/server/jobs.ts'
import * as sensitiveWordJobs from '#sensitive-word/server/jobs.ts'
import * as statisticJobs from '#statistic/server/jobs.ts'
import * as memberCleanupJobs from '#member-cleanup/server/jobs.ts'
import * as paymentJobs from '#payment/server/jobs.ts'
import * as personalDataJobs from '#personal-data/server/jobs.ts'
import * as realNameJobs from '#real-name/server/jobs.ts'
import * as postJobs from '#post/server/jobs.ts'
import * as topicJobs from '#topic/server/jobs.ts'
import * as walletJobs from '#wallet/server/jobs.ts'
import * as writingJobs from '#writing/server/jobs.ts'

export const bufferedWriters = [
  ...sensitiveWordJobs.gatherings,
  ...postJobs.gatherings,
  ...topicJobs.gatherings,
  ...statisticJobs.gatherings,
  ...linkPreviewJobs.gatherings,
]

/** The same for those that members wait for. */
export const promptBufferedWriters = [redEnvelopeJobs.payments]

/** What letters list, which is found when they are sent. */
export const composers = { reminders: composeReminders }

export const jobs = [
  ...fileJobs.jobs,
  ...accountJobs.jobs,
  ...identityJobs.jobs,
  ...realNameJobs.jobs,
  ...topicJobs.jobs,
  ...batchJobs.jobsFor(manyThings),
  ...deliveryJobs.jobsWith({ composers }),
  ...draftJobs.jobs,
  ...writingJobs.jobs,
  ...memberCleanupJobs.jobs,
  ...personalDataJobs.jobs,
  ...leavingJobs.jobs,
  ...statisticJobs.jobs,
  ...walletJobs.jobsFor(bookChecks),
  ...paymentJobs.jobs,
  ...bountyJobs.jobs,
  ...redEnvelopeJobs.jobs,
  ...hiddenPartJobs.jobs,
  ...collusionJobs.jobs,
  ...noticeJobs.jobs,
  ...membershipJobs.jobs,
  ...renameJobs.jobs,
  ...linkPreviewJobs.jobs,
  ...assistantJobs.jobs,
]
